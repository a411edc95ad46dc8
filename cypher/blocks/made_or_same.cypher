// Return the id of the version that was made, of the live one that says the same, or null for what was refused.

RETURN a.id AS made
UNION
WITH live, verdict
FILTER verdict[0] = 'same'
RETURN live.id AS made
UNION
WITH live, verdict
FILTER NOT verdict[0] IN ['', 'same']
RETURN NULL AS made
