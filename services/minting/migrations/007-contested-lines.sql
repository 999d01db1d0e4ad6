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

-- When a sale was captured or written off. Those before this migration count as paid.
alter table delivery add column paid_at timestamptz;
update delivery set paid_at = changed_at where kind = 'sale' and state = 'final';
-- Sales into custody, for the time from which a token can be withdrawn.
create index delivery_into_custody on delivery (token, block)
  where kind = 'sale' and state = 'final' and custody_account is not null;
