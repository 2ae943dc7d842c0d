mtype = { a, b };
chan c[2] = [2] of { mtype, byte };
notrace { if :: c[0]?a,_ -> c[0]?b,5 :: c[0]?b,_  fi }
active proctype P() { c[0]!a,1; if :: c[0]!b,2 :: c[0]!b,3 fi; c[1]!a,1 }
active proctype Q() { byte n; c[0]?a,_; c[0]?b,_; c[1]?_,n }
