set local lock_timeout = '2s';
set local statement_timeout = 0;

alter table mail
  -- While the mail is with the mail server; its next_attempt_at is then the time from which another process may send it.
  add column claimed_at timestamptz,
  -- Left side of the Message-ID: random, the same for each attempt.
  add column message_id uuid,
  -- When the link in the mail expires: the mail is not sent any more from then on. Null without such a link.
  add column expires_at timestamptz,
  -- Random part of the words that stand for the tokens in `text` and `html`. Null: the words of the former release.
  add column placeholder_id uuid,
  -- Why a mail with `failed_at` is not sent any more. Null for mails of former releases, which have used up their attempts.
  add column failure text check (failure in ('refused', 'attempts', 'expired'));

-- While another service is asked whether the account may get the mail of the notice, no other process does the same.
alter table notice add column claimed_until timestamptz;
