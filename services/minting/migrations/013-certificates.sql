set local lock_timeout = '2s';

-- When the present owner got the token: the time of the move at which the owner changed last. Null: that of its last
-- move. A trigger sets it, so that a process of the former version sets it too during a rolling update.
alter table token add column owner_since timestamptz;

create function token_owner_since() returns trigger language plpgsql as $$
begin
  if new.owner_id is distinct from old.owner_id then new.owner_since := new.moved_at;
  else new.owner_since := coalesce(old.owner_since, old.moved_at);
  end if;
  return new;
end $$;
create trigger token_owner_since before update on token for each row execute function token_owner_since();

-- Links to certificates. `secret_hash`: SHA-256 of the secret in hex, by which a link is found. `sealed_secret`: the
-- secret, encrypted, from which the same code is printed again. A link that was renewed or switched off keeps its row
-- without it, so that the response can say what happened.
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
