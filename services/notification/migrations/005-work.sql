set local lock_timeout = '2s';

-- A stored mail is sent at once.
create trigger notify_work after insert on mail for each row execute function notify_work('mails');
