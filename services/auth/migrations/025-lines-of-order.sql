-- outside a transaction
drop index concurrently if exists open_line_of_order;

-- For the order of a bid that is consumed after it has won.
create index concurrently open_line_of_order on open_line (order_id);
