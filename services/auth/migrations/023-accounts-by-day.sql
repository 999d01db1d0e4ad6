set local lock_timeout = '2s';
-- However long it takes. Until the commit accounts are read and not changed.
set local statement_timeout = 0;

-- For the figures of a day.
create index account_created on account (created_at);
create index account_confirmed on account (email_confirmed_at) where email_confirmed_at is not null;
create index account_deleted on account (deleted_at) where deleted_at is not null;
