set local lock_timeout = '2s';
-- However long it takes. Until the commit deliveries are read and not changed.
set local statement_timeout = 0;

-- The last sale of a token, whose payment may be contested.
create index delivery_sold on delivery (token, block) where kind = 'sale' and state = 'final';
