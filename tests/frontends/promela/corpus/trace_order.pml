mtype = { a, b };
chan c = [2] of { mtype, byte };
chan e = [2] of { byte };
trace { do :: c!a,_ -> c!b,_ od }
active proctype P() { c!a,1; c!b,2; e!1; c!a,1 }
active proctype Q() { c?a,_; c?b,_; e?_ }
