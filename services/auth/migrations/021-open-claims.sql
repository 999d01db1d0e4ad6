set local lock_timeout = '2s';
-- However long it takes. Until the commit open gifts are read and not changed.
set local statement_timeout = 0;

-- Gifts that an account accepted. `position`: of the token's last move before; a later one has the outcome. An ended claim stays for a
-- repeated event, and is deleted with the gifts that ended.
create table open_claim (
  claim_id uuid primary key,
  gift_id uuid not null,
  recipient_id uuid not null,
  token text not null,
  position bigint not null,
  name text not null,
  ended boolean not null,
  changed_at timestamptz not null default now()
);
create index open_claim_of_recipient on open_claim (recipient_id);
create index open_claim_to_delete on open_claim (changed_at);

alter table open_gift add column changed_at timestamptz not null default now();
create index open_gift_to_delete on open_gift (changed_at) where ended;
