bool served; byte n;
active proctype Client() { served; 
accept_done: do :: n = 1 - n od }
active proctype Server() { served = true }
active proctype Noise() { bit z; do :: z = !z od }
