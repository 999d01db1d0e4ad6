set local lock_timeout = '2s';
-- However long it takes. Until the commit no session is read.
set local statement_timeout = 0;

-- The transaction that ended a session: other services read what ended since their last reading.
alter table session add column ended_xact xid8;
update session set ended_xact = pg_current_xact_id() where ended_at is not null;

create function session_ended() returns trigger language plpgsql as $$
begin
  if new.ended_at is not null and (tg_op = 'INSERT' or old.ended_at is null) then
    new.ended_xact := pg_current_xact_id();
  end if;
  return new;
end $$;

create trigger session_ended before insert or update on session for each row execute function session_ended();

create index session_ended_since on session (ended_xact) where ended_at is not null;
