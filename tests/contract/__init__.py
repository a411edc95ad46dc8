"""What the project promises its readers: the `.cypher` contract, the node classes, the wheel, the layers."""
