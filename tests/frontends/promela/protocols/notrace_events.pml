mtype = { a, b };
chan q = [2] of { mtype };
active proctype P() { q!a; q!b }
active proctype Q() { q!a }
active proctype R() { q?_; q?_; q?_ }
notrace { q!b; q!a; q!a }
