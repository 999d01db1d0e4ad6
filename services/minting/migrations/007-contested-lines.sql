set local lock_timeout = '2s';

-- Sold lines whose payment a bank contests. While its buyer owns the token, it cannot be withdrawn. A row stays when it is cleared: an
-- older event changes nothing.
create table contested_line (
  line_id uuid primary key,
  token text not null,
  buyer_id uuid not null,
  contested boolean not null,
  at timestamptz not null
);
create index contested_line_of_token on contested_line (token) where contested;

-- When a sale was captured or written off.
alter table delivery add column paid_at timestamptz;
