-- Payments asks for reservations that are older than their time.
create index item_reserved on item (id, reserved_until) where reserved_order is not null;
