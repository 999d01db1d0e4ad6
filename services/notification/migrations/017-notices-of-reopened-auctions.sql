set local lock_timeout = '2s';

-- Stored rows are of the former, narrower list: 018 validates it without a lock that stops writers.
alter table notice drop constraint notice_what_check,
  add constraint notice_what_check check (what in ('cheaper', 'sold', 'available', 'listed', 'own_sold', 'offer_received',
    'offer_accepted', 'offer_declined', 'offer_expired', 'offer_ended', 'auction_began', 'auction_ends',
    'auction_reopened', 'auction_bid', 'auction_ended', 'bid_outbid', 'bid_won', 'bid_ended')) not valid;
