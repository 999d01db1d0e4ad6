-- For triggers: wakes the worker that the argument names, in every process, when the transaction commits.
create function notify_work() returns trigger language plpgsql as $$
begin
  perform pg_notify('work', tg_argv[0]);
  return null;
end $$;
