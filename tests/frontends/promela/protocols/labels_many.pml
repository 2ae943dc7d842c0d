byte n;
active [2] proctype P() {
end_wait: n < 2;
progress_go: n++;
accept_x: if :: n == 2 -> goto end_done :: n < 2 -> skip fi;
end_done: false
}
