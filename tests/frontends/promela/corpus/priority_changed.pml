byte x;
active proctype lo() priority 2 { x = get_priority(_pid); set_priority(1, 1); x = 3 ; x = 4}
active proctype hi() priority 3 { x == 2 -> x = 7; _priority = 1; x = 8 }
