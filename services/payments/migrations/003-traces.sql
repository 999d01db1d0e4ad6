-- The trace of the request that began an order, and of the one that brought an event: what is done for them later goes
-- on there. Null where nothing is traced.
alter table orders add column traceparent text;
alter table stripe_inbox add column traceparent text;
