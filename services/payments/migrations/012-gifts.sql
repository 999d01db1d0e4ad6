set local lock_timeout = '2s';

-- Bought for another person, into custody. Address and text stay here until it is charged, written off or released.
alter table orders add column is_gift boolean not null default false;
alter table orders add column gift jsonb;
