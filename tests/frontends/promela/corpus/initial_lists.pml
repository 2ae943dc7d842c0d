byte a[3] = {1,2,3};
byte b[4] = 7;
int c[2] = { -1, 5 };
active proctype p() { byte l[2] = {4,5}; byte i; 
 for (i in a) { b[i] = a[i] + l[i % 2] }
 assert(b[3] == 7); assert(l[1]==5) }
