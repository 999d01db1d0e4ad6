-- outside a transaction
drop index concurrently if exists line_of_seller_newest;

-- `state`: a seller's orders in one state are found in the index alone, too.
create index concurrently line_of_seller_newest on line (seller_id, ordered_at desc, order_id desc) include (state);

-- The new one begins with the seller, too.
drop index concurrently if exists line_of_seller_orders;
