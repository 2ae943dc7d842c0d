-- Peterson's algorithm for N customers, as in models/peterson.py (class Peterson): the same states, the same edges.
-- @N@ is the number of customers. Why it looks as it does: see token_ring.m.

const
  N: @N@;

type
  Customer: 0 .. N - 1;
  At: enum { START, NEXT_GATE, FIRST_WRITE, SECOND_WRITE, CHECK_GATE, NEXT_OTHER, CHECK_OTHER, IN_CRITICAL, STOPPED };

var
  critical: 0 .. N;
  at: array [Customer] of At;
  gate: array [Customer] of 0 .. N - 1;
  other: array [Customer] of 0 .. N;
  level: array [Customer] of 0 .. N - 1;
  last: array [0 .. N - 2] of Customer;

procedure go_through(i: Customer);
begin
  gate[i] := gate[i] + 1;
  at[i] := NEXT_GATE;
end;

startstate
begin
  critical := 0;
  for i: Customer do
    at[i] := START;
    gate[i] := 0;
    other[i] := 0;
    level[i] := 0;
  end;
  for g: 0 .. N - 2 do
    last[g] := 0;
  end;
end;

ruleset i: Customer do
  rule "start" at[i] = START
  ==> begin gate[i] := 0; at[i] := NEXT_GATE; end;

  rule "stop" at[i] = START
  ==> begin at[i] := STOPPED; end;

  rule "next gate" at[i] = NEXT_GATE & gate[i] < N - 1
  ==> begin at[i] := FIRST_WRITE; end;

  rule "enter" at[i] = NEXT_GATE & gate[i] >= N - 1
  ==> begin
    critical := critical + 1;
    assert critical = 1;
    at[i] := IN_CRITICAL;
  end;

  rule "announce" at[i] = FIRST_WRITE
  ==> begin level[i] := gate[i] + 1; at[i] := SECOND_WRITE; end;

  rule "give way" at[i] = SECOND_WRITE
  ==> begin last[gate[i]] := i; at[i] := CHECK_GATE; end;

  rule "somebody came later" at[i] = CHECK_GATE & last[gate[i]] != i
  ==> begin go_through(i); end;

  rule "look round" at[i] = CHECK_GATE & last[gate[i]] = i
  ==> begin other[i] := 0; at[i] := NEXT_OTHER; end;

  rule "next other" at[i] = NEXT_OTHER & other[i] < N
  ==> begin at[i] := CHECK_OTHER; end;

  rule "all are behind" at[i] = NEXT_OTHER & other[i] >= N
  ==> begin go_through(i); end;

  rule "is behind" at[i] = CHECK_OTHER & (other[i] = i | level[other[i]] <= gate[i])
  ==> begin other[i] := other[i] + 1; at[i] := NEXT_OTHER; end;

  rule "is not behind" at[i] = CHECK_OTHER & other[i] != i & level[other[i]] > gate[i]
  ==> begin at[i] := CHECK_GATE; end;

  rule "leave" at[i] = IN_CRITICAL
  ==> begin critical := critical - 1; level[i] := 0; at[i] := START; end;
end;
