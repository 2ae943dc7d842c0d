chan c = [2] of { byte };
active proctype P() { xs c; c!1; c!2 }
active proctype Q() { xr c; byte x; c?x; c?x }
