-- A requested password reset is mailed at once.
create trigger notify_work after insert on password_reset_request for each row execute function notify_work('resets');
