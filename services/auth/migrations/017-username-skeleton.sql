set local lock_timeout = '2s';
-- However long it takes. Until the commit no account is read.
set local statement_timeout = 0;

-- Usernames that look alike have one skeleton (`skeletonOf`). Only its SHA-256 is stored, so that it stays with a deleted
-- account. Of new accounts one has it; `username_twin` counts those that were alike before.
alter table account add column username_skeleton text;
alter table account add column username_twin integer not null default 0;

update account set username_skeleton = numbered.skeleton, username_twin = numbered.twin
from (
  select id, skeleton, row_number() over (partition by skeleton order by created_at, id) - 1 as twin
  from (
    select id, created_at, encode(sha256(convert_to(translate(lower(username), '01l@._-', 'oii'), 'UTF8')), 'hex') as skeleton
    from account where username is not null
  ) as named
) as numbered
where numbered.id = account.id;

create unique index account_username_skeleton on account (username_skeleton, username_twin);

alter table username_reservation add column username_skeleton text;
create index username_reservation_skeleton on username_reservation (username_skeleton);
