set local lock_timeout = '2s';
-- However long it takes. Until the commit mails are read and not queued.
set local statement_timeout = 0;

create index mail_to_erase on mail (coalesce(sent_at, failed_at)) where recipient <> '' or subject <> '';
create index mail_reply_to on mail (reply_to) where reply_to is not null;
