set local lock_timeout = '2s';

-- Bids that lead an auction: neither their bidder nor the seller deletes the account meanwhile.
create table open_bid (
  order_id uuid primary key,
  auction_id uuid not null,
  name text not null,
  bidder_id uuid not null,
  seller_id uuid not null,
  -- No bid moves the end of the auction beyond it.
  latest_end_at timestamptz not null
);
create index open_bid_of_bidder on open_bid (bidder_id);
create index open_bid_of_seller on open_bid (seller_id);
create index open_bid_end on open_bid (latest_end_at);
