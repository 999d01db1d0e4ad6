-- Security events: log-ins, changes of an account, refusals, commands of operators. Kept for a year, apart from the logs,
-- without secrets and without what was typed.
create table security_event (
  id uuid primary key default uuidv7(),
  at timestamptz not null default now(),
  kind text not null,
  -- 'ok', or the error code of the response.
  outcome text not null,
  user_id uuid,
  session_id uuid,
  operator text,
  -- Method and path pattern.
  route text not null,
  -- IP address of the client.
  address text not null,
  request_id text not null
);

create index security_event_user on security_event (user_id, id) where user_id is not null;
create index security_event_address on security_event (address, id);
create index security_event_age on security_event (at);

create function security_event_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '365 days' then
      return old;
    end if;
  end if;
  raise exception 'security_event is append-only for a year';
end $$;

create trigger security_event_append_only before update or delete on security_event
  for each row execute function security_event_append_only();

create trigger security_event_no_truncate before truncate on security_event
  for each statement execute function security_event_append_only();
