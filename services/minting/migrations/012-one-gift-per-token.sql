set local lock_timeout = '2s';
-- However long it takes. Until the commit deliveries are read and not changed.
set local statement_timeout = 0;

create unique index if not exists one_gift_per_token on delivery (token) where kind = 'gift' and state in ('waiting', 'signed');

-- Where 010 ran before it was changed, this index exists, and what follows does not. Defaults are for processes of that version.
alter table gift
  add column if not exists offer_from timestamptz not null default now(),
  add column if not exists refunded boolean not null default false,
  drop constraint gift_state_check,
  add constraint gift_state_check check (state in ('bought', 'offered', 'claimed', 'taken_back', 'refunded', 'lapsed', 'ended'));
create index if not exists gift_to_offer on gift (line_id) where state = 'bought';

-- Links that were mailed before count against no mailbox.
alter table gift_link add column if not exists recipient text not null default '';
create index if not exists gift_link_of_recipient on gift_link (recipient, created_at);
