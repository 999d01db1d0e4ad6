set local lock_timeout = '2s';

-- How the work was sold when its auction started. Null: it had no price, or the auction is of a former release.
alter table auction
  add column former_cents integer,
  add column former_for_sale boolean not null default false,
  add column former_minimum_cents integer;
