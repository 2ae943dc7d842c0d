chan q = [4] of { byte, mtype };
mtype = { hi, lo };
active proctype P() { q!!3,hi; q!!1,lo; q!!2,hi; q!!1,hi;
 byte x; mtype m; q?x,m; assert(x == 1); if :: q??[2,hi] -> q??2,hi :: else fi; q?<x,m>; q??eval(x),_ ; assert(len(q) == 1); assert(nempty(q) && nfull(q)); q?_,_; empty(q) }
