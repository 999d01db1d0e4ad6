set local lock_timeout = '2s';

-- Payments stores a bid here before catalog places it, without the id of its auction.
alter table open_bid alter column auction_id drop not null;
