byte a[3], i; 
active proctype P() { a[i] = i + 1; i++; a[i] = i + 1; i++; a[a[0]] = 9 }
active proctype Q() { byte j; j = a[i]; a[j % 3]++ }
