#include "include_part.h"
active proctype P() { TWICE(x); x = N }
