// Take all 16 stripes of a space's gate: for writes that nothing of the space may run beside.
//
// In ascending order, so that two such writes never wait for each other in a circle. Such writes are a barrier, a late link, an
// erasure, and a derivation that is stored withdrawn.

UNWIND range(0, 15) AS stripe
// block: gate
