set local lock_timeout = '2s';

-- Equal events of an address within a minute are one row: what a client repeats fills no disk.
alter table security_event add column count integer not null default 1;

create or replace function security_event_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.count > old.count and old.at > now() - interval '2 minutes'
      and to_jsonb(new) - 'count' = to_jsonb(old) - 'count' then
      return new;
    end if;
  elsif tg_op = 'DELETE' then
    if old.at < now() - interval '365 days' then
      return old;
    end if;
  end if;
  raise exception 'security_event is append-only for a year';
end $$;
