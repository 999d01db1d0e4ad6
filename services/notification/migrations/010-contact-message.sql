set local lock_timeout = '2s';

-- A visitor's message from the contact page; the operator also gets it as a mail. Deleted after two years, or with the
-- account of the address.
create table contact_message (
  id uuid primary key default uuidv7(),
  name text not null,
  email text not null,
  subject text not null,
  message text not null,
  -- Left side of the Message-ID of the operator's mail, which begins the thread.
  message_id uuid not null,
  at timestamptz not null default now(),
  state text not null default 'open' check (state in ('open', 'answered', 'closed', 'spam')),
  -- Names of operators.
  assigned_to text,
  answered_at timestamptz,
  answered_by text
);
create index contact_message_by_state on contact_message (state, id);
create index contact_message_of_email on contact_message (lower(email));
create index contact_message_at on contact_message (at);

create table contact_answer (
  -- Chosen by the caller: a repeated request answers once.
  id uuid not null,
  contact_message_id uuid not null references contact_message on delete cascade,
  operator text not null,
  text text not null,
  -- Left side of its Message-ID.
  message_id uuid not null,
  at timestamptz not null default now(),
  primary key (contact_message_id, id)
);

-- What a person writes in a thread: the left sides of the Message-IDs before it, oldest first. Null for other mails.
alter table mail add column thread uuid[];
