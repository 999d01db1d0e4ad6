set local lock_timeout = '2s';
-- However long it takes. Until the commit deliveries are read and not changed.
set local statement_timeout = 0;

-- Deliveries that the chain has reverted, by recipient: a wallet of which it has reverted two in a day is refused.
create index delivery_reverted on delivery (wallet, changed_at)
  where kind = 'sale' and state = 'failed' and reason in ('reverted', 'refused');

-- When the holder of a token was last compared with the chain.
create table token_check (token text primary key, checked_at timestamptz not null);
