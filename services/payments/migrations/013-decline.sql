set local lock_timeout = '2s';

-- Why the last card was declined, one of a closed list; null when none was.
alter table orders add column declined text;
