set local lock_timeout = '2s';
-- However long it takes. Until the commit gifts are not read.
set local statement_timeout = 0;

alter table gift
  -- The giver was suspended, frozen or deleted while the last claim had no outcome: the gift is taken back if that fails.
  add column take_back boolean not null default false,
  -- Why the link of a paid gift is not mailed yet.
  add column waits_for text check (waits_for in ('mail_limit', 'contest'));

-- A gift has a recipient only while it is claimed, or being claimed.
update gift set delivery_id = null, recipient_id = null
  where recipient_id is not null and state not in ('offered', 'claimed');

-- The mailbox is needed for a day only.
create index gift_link_to_erase on gift_link (created_at) where recipient <> '';
