set local lock_timeout = '2s';

-- That of the order, which is inserted by the same transaction: the newest orders of a seller are found in an index of
-- lines. The next file sets that of former lines.
alter table line add column ordered_at timestamptz not null default now();
