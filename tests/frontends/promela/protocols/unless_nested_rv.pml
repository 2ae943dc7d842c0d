chan alarm = [0] of { byte }; chan cancel = [0] of { byte };
byte level;
active proctype Job() {
  byte x;
  {
    { level = 1; level = 2; level = 3 } unless { alarm?x -> level = 10 + x };
    level++
  } unless { cancel?x; level = 20 }
}
active proctype Watch() { if :: alarm!1 :: alarm!2 :: skip fi }
active proctype Boss() { if :: cancel!5 :: skip fi }
