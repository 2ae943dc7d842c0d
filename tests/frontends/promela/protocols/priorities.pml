byte turn; 
active proctype Low() priority 1 { turn = 1; turn = 2 }
active proctype Mid() priority 3 { turn = 3; set_priority(0, 9); turn = 4 }
active proctype High() priority 5 { turn != 0 || timeout; turn = 5; assert(get_priority(_pid) == 5) }
