-- What the operator's figures ask: how many messages are parked or given up, and since when.
create index parked_event_age on parked_event (given_up_at, parked_at);
