set local lock_timeout = '2s';

-- Of a bid whose card was held: catalog returns it with the state of the bid.
alter table orders add column auction_id uuid;
