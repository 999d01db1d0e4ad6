-- Reads all notices without a lock that keeps others from writing.
set local statement_timeout = 0;

alter table notice validate constraint notice_what_check;
