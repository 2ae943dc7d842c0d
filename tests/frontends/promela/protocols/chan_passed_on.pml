chan meet = [0] of { chan };
active proctype Give() { chan own = [1] of { byte }; byte y; meet!own; own?y; assert(y == 4) }
active proctype Take() { chan got; meet?got; got!4 }
active proctype Idle() { byte k; do :: k < 2 -> k++ :: else -> break od }
