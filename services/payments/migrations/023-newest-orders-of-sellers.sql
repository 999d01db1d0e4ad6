set local lock_timeout = '2s';
-- However long it takes. Until the commit lines are read and not changed.
set local statement_timeout = 0;

-- `state`: a seller's orders in one state are found in the index alone, too.
create index line_of_seller_newest on line (seller_id, ordered_at desc, order_id desc) include (state);
-- The new one begins with the seller, too.
drop index line_of_seller_orders;
