-- When the present wallet was linked. A wallet that a stranger linked is unlinked when the owner proves the mailbox.
alter table account add column wallet_linked_at timestamptz;
update account set wallet_linked_at = coalesce(wallet_proven_at, created_at) where wallet is not null;
alter table account add constraint wallet_linked check ((wallet is null) = (wallet_linked_at is null));
