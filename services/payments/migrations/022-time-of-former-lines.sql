set local lock_timeout = '2s';
-- However long it takes, 48 s for a million lines. Until the commit lines are read and not changed.
set local statement_timeout = 0;

-- Before the update, which else could wait for a purchase that waits for it.
lock table line in share row exclusive mode;
update line set ordered_at = orders.created_at from orders
where orders.id = order_id and ordered_at <> orders.created_at;
