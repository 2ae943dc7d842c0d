/* Only the youngest process can go, and its number is used again. */
byte n;
proctype Short() { n++ }
proctype Long() { n < 3; n = 5 }
init { run Long(); run Short(); run Short(); _nr_pr < 4 -> run Short(); n = _nr_pr }
