// Find the live artifact behind each root that a request names, by its id or by its key.

UNWIND $roots AS ref
OPTIONAL MATCH (named:Artifact {id: ref}) WHERE named.space = $space AND (named:Visible OR named:Withdrawn)
OPTIONAL MATCH (keyed:Artifact {space: $space, key: ref}) WHERE keyed:Visible OR keyed:Withdrawn
WITH ref, coalesce(named, keyed) AS root
