set local lock_timeout = '2s';

-- Stored rows are of the former, narrower list: they need not be read.
alter table notice drop constraint notice_what_check,
  add constraint notice_what_check check (what in ('cheaper', 'sold', 'available', 'listed', 'own_sold', 'offer_received',
    'offer_accepted', 'offer_declined', 'offer_expired', 'offer_ended')) not valid;
