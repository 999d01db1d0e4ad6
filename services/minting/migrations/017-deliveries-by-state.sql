set local lock_timeout = '2s';
-- However long it takes. Until the commit deliveries are read and not added.
set local statement_timeout = 0;

-- For operators.
create index delivery_of_state on delivery (state, created_at, line_id);
