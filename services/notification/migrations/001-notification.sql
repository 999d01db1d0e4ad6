-- Copy of auth's accounts: the address that mails need.
create table recipient (
  user_id uuid primary key,
  version integer not null,
  email text not null,
  wants_messages boolean not null,
  -- A deleted account stays until its open lines end, because their mails are still due. Then the row is deleted.
  deleted_at timestamptz
);

-- Order lines whose card hold is not captured or released yet: buyer and seller get a mail about the outcome.
create table open_line (
  line_id uuid primary key,
  buyer_id uuid not null,
  seller_id uuid not null
);
create index open_line_buyer on open_line (buyer_id);
create index open_line_seller on open_line (seller_id);

create table subscriber (
  email text primary key,
  -- SHA-256 (hex) of the token in the mail.
  token_hash text unique,
  requested_at timestamptz not null default now(),
  confirmed_at timestamptz
);

-- Queue and log of mails. `text` and `html` are cleared after sending. The token of a link is in neither: `sealed_token` is
-- encrypted, and decrypted while the mail is sent.
create table mail (
  id uuid primary key default uuidv7(),
  template text not null,
  -- With `template`: the deduplication key.
  subject_id text not null,
  recipient text not null,
  reply_to text,
  subject text not null,
  text text,
  html text,
  sealed_token text,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  error text,
  -- W3C Trace Context of the event that caused the mail; null without tracing.
  traceparent text,
  queued_at timestamptz not null default now(),
  sent_at timestamptz,
  -- Set after the last attempt: the mail is not sent any more.
  failed_at timestamptz,
  unique (template, subject_id)
);
create index mail_waiting on mail (next_attempt_at) where sent_at is null and failed_at is null;
-- For the metrics, which count failed mails on every scrape.
create index mail_failed on mail (failed_at) where failed_at is not null;
