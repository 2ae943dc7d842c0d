chan q = [2] of { int, bool };
chan r = [2] of { chan };
chan s;
init { chan loc = [1] of { byte }; r!loc; r!q; r?s; s!7; byte v; loc?v; assert(v == 7); r?s; s!1,true; printf("%d %d\n", len(q), len(s)) }
