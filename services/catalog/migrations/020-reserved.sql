set local lock_timeout = '2s';
-- However long it takes. Until the commit works are read and not changed.
set local statement_timeout = 0;

-- Payments asks for reservations that are older than their time.
create index item_reserved on item (id, reserved_until) where reserved_order is not null;
