// Heap that the server uses now, in bytes; garbage included.
//
// access:  read
// params:  none
// returns: used INTEGER, committed INTEGER
CALL dbms.queryJmx('java.lang:type=Memory') YIELD attributes
RETURN attributes.HeapMemoryUsage.value.properties.used AS used, attributes.HeapMemoryUsage.value.properties.committed AS committed
