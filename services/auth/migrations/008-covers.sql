-- The image at the head of a profile: the name of its files, or null.
alter table account add column cover text;
alter table account add constraint tombstone_cover check (deleted_at is null or cover is null);

-- As avatar_file: inserted before the files are written and deleted after they are removed.
create table cover_file (
  name text primary key,
  account_id uuid not null references account,
  created_at timestamptz not null default now()
);
