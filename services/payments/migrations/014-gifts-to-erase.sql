set local lock_timeout = '2s';
-- However long it takes. Until the commit orders are read and not changed.
set local statement_timeout = 0;

create index orders_gift on orders (created_at) where gift is not null;
