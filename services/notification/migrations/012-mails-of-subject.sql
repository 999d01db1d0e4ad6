set local lock_timeout = '2s';
-- However long it takes. Until the commit mails are read and not queued.
set local statement_timeout = 0;

-- For operators: the mails about an order, a line or an account, whose id begins the subject id.
create index mail_of_subject on mail (subject_id collate "C");
