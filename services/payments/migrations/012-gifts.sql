set local lock_timeout = '2s';
set local statement_timeout = 0;

-- Bought for another person, into custody. Address and text stay here until the card is held: minting has them from then on.
alter table orders add column is_gift boolean not null default false;
alter table orders add column gift jsonb;
create index orders_gift on orders (created_at) where gift is not null;
