set local lock_timeout = '2s';

-- When its owner got the token: the move at which the owner changed last. Null: since its last move; the trigger also
-- sets it where a former version of the service moves a token.
alter table token add column owner_since timestamptz;

create function token_owner_since() returns trigger language plpgsql as $$
begin
  if new.owner_id is distinct from old.owner_id then new.owner_since := new.moved_at;
  else new.owner_since := coalesce(old.owner_since, old.moved_at);
  end if;
  return new;
end $$;
create trigger token_owner_since before update on token for each row execute function token_owner_since();

-- Links to certificates by the SHA-256 (hex) of their secrets. The secret is stored encrypted as well, so that its
-- owner can print the sheet again. A dead link stays without it, to say what happened.
create table certificate_link (
  secret_hash text primary key,
  token text not null,
  owner_id uuid not null,
  sealed_secret text,
  ended text check (ended in ('renewed', 'switched_off')),
  made_at timestamptz not null default now(),
  check ((ended is null) = (sealed_secret is not null))
);
create unique index one_certificate_link on certificate_link (token, owner_id) where ended is null;
create index certificate_link_of_owner on certificate_link (owner_id, made_at);
