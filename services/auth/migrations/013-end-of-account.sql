set local lock_timeout = '2s';
set local statement_timeout = 0;

-- A deletion that the link of a mail can still undo: the account is blocked, and erased when no such link is valid any more.
alter table account add column deletion_requested_at timestamptz;
create index account_deletion on account (deletion_requested_at) where deletion_requested_at is not null;
