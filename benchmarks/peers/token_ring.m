-- The demand-driven token ring of models/token_ring.py: the same states, the same edges. @N@ is the number of stations.
--
-- `critical` is redundant (it counts the clients in the critical section) and so adds no state: it makes the check of
-- mutual exclusion as cheap as it can be. Terminal states, where everyone must have stopped, are not checked: Rumur can
-- forbid them all or allow them all.

const
  N: @N@;

type
  Station: 0 .. N - 1;
  Client: enum { IDLE, REQUESTED, CRITICAL, STOPPED };
  Server: enum { RESTING, WAITING, SERVING };

var
  critical: 0 .. N;
  client: array [Station] of Client;
  server: array [Station] of Server;
  token: array [Station] of boolean;

procedure pass(i: Station);
begin
  token[i] := false;
  token[(i + 1) % N] := true;
  server[i] := RESTING;
end;

startstate
begin
  critical := 0;
  for i: Station do
    client[i] := IDLE;
    server[i] := RESTING;
    token[i] := i = 1;
  end;
end;

ruleset i: Station do
  rule "request" client[i] = IDLE
  ==> begin client[i] := REQUESTED; end;

  rule "leave" client[i] = CRITICAL
  ==> begin critical := critical - 1; client[i] := IDLE; end;

  rule "stop" client[i] = IDLE
  ==> begin client[i] := STOPPED; end;

  rule "want the token"
    server[i] = RESTING & (client[i] = REQUESTED | server[(i + 1) % N] = WAITING & !token[(i + 1) % N])
  ==> begin server[i] := WAITING; end;

  rule "serve" server[i] = WAITING & token[i] & client[i] = REQUESTED
  ==> begin
    critical := critical + 1;
    assert critical = 1;
    client[i] := CRITICAL;
    server[i] := SERVING;
  end;

  rule "pass on" server[i] = WAITING & token[i] & client[i] != REQUESTED & server[(i + 1) % N] = WAITING
  ==> begin pass(i); end;

  rule "pass after service" server[i] = SERVING & client[i] != CRITICAL
  ==> begin pass(i); end;
end;
