set local lock_timeout = '2s';
set local statement_timeout = 0;

-- The name that a seller had before the newest changes, which the public profile shows for a while.
alter table account add column former_name text;
alter table account add column renamed_at timestamptz;
alter table account add check ((former_name is null) = (renamed_at is null));
