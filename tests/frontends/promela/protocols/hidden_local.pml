show byte seen; local byte own;
active proctype P() { own++; seen = own }
active proctype Q() { (seen == 1); seen = 2 }
