/* One parameter names channels of different capacities. */
chan fast = [1] of { byte };
chan slow = [3] of { byte };
byte sum;
proctype Feed(chan c; byte n) { do :: n > 0 -> c!n; n-- :: n == 0 -> break od }
proctype Drain(chan c) { byte v; end: do :: c?v -> sum = sum + v od }
init { atomic { run Feed(fast, 2); run Feed(slow, 3); run Drain(fast); run Drain(slow) } }
