mtype:fruit = { apple, pear }; mtype:size = { small, large };
mtype:fruit f = apple; mtype:size z;
chan box = [1] of { mtype:fruit, mtype:size };
active proctype A() { z = small; box!f, z; box!pear, large }
active proctype B() { mtype:fruit g; do :: box?g, large -> break :: box?g, small -> f = g od; assert(g == pear) }
