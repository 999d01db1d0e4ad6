-- For triggers: reports one job to the worker that the argument names, in every process, when the transaction commits. The id keeps
-- PostgreSQL from merging the reports of one transaction.
create or replace function notify_work() returns trigger language plpgsql as $$
begin
  perform pg_notify('work', tg_argv[0] || ':' || gen_random_uuid());
  return null;
end $$;
