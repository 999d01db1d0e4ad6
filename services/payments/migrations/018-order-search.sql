set local lock_timeout = '2s';
-- However long it takes. Until the commit orders and lines are read and not changed.
set local statement_timeout = 0;

-- What operators find orders by. An identifier is the same in another contract at most.
create index line_of_transaction on line (tx_hash) where tx_hash is not null;
create index line_of_token on line (identifier) where identifier is not null;
create index line_reversed on line (state) where state in ('written_off', 'refunded', 'disputed');

-- In place of indexes without the id of the order, so that the newest orders of a seller are found in these alone.
create index orders_newest on orders (created_at desc, id desc);
create index line_of_seller_orders on line (seller_id) include (order_id);
drop index orders_age;
drop index line_of_seller;
