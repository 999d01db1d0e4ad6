set local lock_timeout = '2s';

-- Of an auction of a favourite, for its mail; null: the first bid starts the clock.
alter table notice add column ends_at timestamptz;

-- Stored rows are of the former, narrower list: 016 validates it without a lock that stops writers.
alter table notice drop constraint notice_what_check,
  add constraint notice_what_check check (what in ('cheaper', 'sold', 'available', 'listed', 'own_sold', 'offer_received',
    'offer_accepted', 'offer_declined', 'offer_expired', 'offer_ended', 'auction_began', 'auction_ends', 'auction_bid',
    'auction_ended', 'bid_outbid', 'bid_won', 'bid_ended')) not valid;
