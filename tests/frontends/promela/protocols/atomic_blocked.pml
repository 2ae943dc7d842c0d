byte x; chan c = [1] of { byte };
active proctype P() { atomic { x = 1; x == 2; x = 3; c!x; c!4; x = 5 } }
active proctype Q() { x == 1; x = 2; byte y; c?y; c?y }
active proctype R() { byte z; (x > 0); z = x; z++ }
