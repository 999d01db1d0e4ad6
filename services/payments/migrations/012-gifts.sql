set local lock_timeout = '2s';

-- Bought for another person, into custody. Address and text stay here until the card is held: minting has them from then on.
alter table orders add column is_gift boolean not null default false;
alter table orders add column gift jsonb;
