chan a; byte k;
proctype C() { chan mine = [1] of { bit }; a = mine }
proctype E() { chan m = [1] of { bit }; a = m }
init { if :: run C(); k = 1 :: run E(); k = 2 fi; (_nr_pr == 1); skip; skip; skip }
