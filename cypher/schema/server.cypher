// What server this is.
//
// access:  read
// params:  none
// returns: name STRING, versions LIST<STRING>, edition STRING
CALL dbms.components() YIELD name, versions, edition
RETURN name, versions, edition
