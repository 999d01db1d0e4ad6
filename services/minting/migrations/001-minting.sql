-- Copies of auth's accounts, newest version only.
create table account (
  user_id uuid primary key,
  version integer not null,
  username text not null,
  admin boolean not null,
  suspended boolean not null,
  wallet text check (wallet = lower(wallet)),
  wallet_proven boolean not null,
  changed_at timestamptz not null,
  deleted_at timestamptz
);

create index account_wallet on account (wallet) where wallet_proven and deleted_at is null;

-- The custody account of a user on the chain. Random, because the chain is public and permanent.
create table custody_account (
  account uuid primary key default gen_random_uuid(),
  user_id uuid not null unique
);

-- A signing key. Its nonces are allocated under this row's lock: without gaps and without duplicates. `active` signs;
-- `draining` signs nothing new; `retired`: the contracts accept it no more in a final block. Retired is for ever.
create table signer (
  address text primary key,
  state text not null default 'active' check (state in ('active', 'draining', 'retired')),
  next_nonce bigint not null check (next_nonce >= 0),
  -- The newest block in which it had its roles when it signed.
  role_block bigint,
  -- The final block in which it had its roles no more.
  retired_block bigint,
  halted_reason text,
  halted_at timestamptz,
  check ((state = 'retired') = (retired_block is not null)),
  check (state <> 'retired' or halted_reason is null)
);

-- One nonce of a signer. Fee bumps and the cancelling no-op are further attempts on the same nonce.
create table chain_transaction (
  id uuid primary key default uuidv7(),
  signer text not null references signer,
  nonce bigint not null,
  kind text not null check (kind in ('mint', 'delivery')),
  state text not null default 'signed' check (state in ('signed', 'mined', 'final')),
  outcome text check (outcome in ('succeeded', 'reverted', 'cancelled', 'lost')),
  gas_limit bigint not null,
  call_to text not null,
  call_data text not null,
  mined_hash text,
  mined_block bigint,
  mined_block_hash text,
  -- The final block from which on the nonce is used and no receipt of an attempt was found; null while there is one.
  receipt_missing_since bigint,
  signed_at timestamptz not null default now(),
  broadcast_at timestamptz,
  bump_requested boolean not null default false,
  final_at timestamptz,
  audited_at timestamptz,
  -- The trace of the delivery; null without tracing.
  traceparent text,
  unique (signer, nonce),
  check ((state = 'final') = (outcome is not null)),
  check ((state = 'mined') <= (mined_hash is not null))
);

create index chain_transaction_open on chain_transaction (signer, nonce) where state <> 'final';
create index chain_transaction_audit on chain_transaction (final_at) where state = 'final' and audited_at is null;

-- A final transaction whose block the chain has replaced since; closed when the block is back, or by an operator.
create table audit_finding (
  transaction_id uuid primary key references chain_transaction,
  found_at timestamptz not null default now(),
  closed_at timestamptz
);

create table attempt (
  hash text primary key,
  transaction_id uuid not null references chain_transaction,
  number integer not null,
  kind text not null check (kind in ('call', 'cancel')),
  raw text not null,
  max_fee_per_gas numeric not null,
  max_priority_fee_per_gas numeric not null,
  created_at timestamptz not null default now(),
  unique (transaction_id, number)
);

create table mint (
  id uuid primary key,
  creator_id uuid not null,
  idempotency_key text,
  request_hash text not null,
  state text not null default 'accepted' check (state in ('accepted', 'minting', 'minted', 'failed')),
  name text not null,
  description text not null,
  category text not null,
  price_cents integer check (price_cents between 50 and 99999999),
  file text not null,
  width integer not null,
  height integer not null,
  color text not null,
  sha256 text not null,
  wallet text check (wallet = lower(wallet)),
  royalty_bps integer not null check (royalty_bps between 0 and 10000),
  royalty_wallet text,
  contract text not null,
  transaction_id uuid references chain_transaction,
  alone boolean not null default false,
  identifier text,
  tx_hash text,
  failure text,
  created_at timestamptz not null default now(),
  unique (creator_id, idempotency_key),
  unique (contract, identifier),
  check ((state = 'minted') = (identifier is not null)),
  check (state <> 'accepted' or transaction_id is null),
  check (state <> 'minting' or transaction_id is not null)
);

create index mint_accepted on mint (created_at) where state = 'accepted';
create index mint_of_creator on mint (creator_id, created_at desc);
create index mint_of_transaction on mint (transaction_id);

-- One line of an order, or one withdrawal. A row without a token is the tombstone of a line that was stopped before
-- its order event arrived.
create table delivery (
  line_id uuid primary key,
  kind text not null check (kind in ('sale', 'withdrawal')),
  state text not null default 'waiting' check (state in ('waiting', 'signed', 'final', 'failed', 'stopped')),
  order_id uuid,
  item_id uuid,
  token text,
  from_id uuid,
  buyer_id uuid,
  -- The recipient: a wallet or a custody account.
  wallet text check (wallet = lower(wallet)),
  custody_account uuid,
  deliver_by timestamptz,
  transaction_id uuid references chain_transaction,
  alone boolean not null default false,
  next_attempt_at timestamptz not null default now(),
  reason text,
  note text,
  tx_hash text,
  block bigint,
  -- The trace of the sale; null without tracing.
  traceparent text,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  check (state = 'stopped' or (token is not null and from_id is not null and buyer_id is not null)),
  check (state = 'stopped' or (wallet is null) <> (custody_account is null)),
  check (kind = 'sale' or custody_account is null),
  check (state in ('stopped', 'failed')
    or wallet not in ('0x0000000000000000000000000000000000000000', '0x000000000000000000000000000000000000dead')),
  check (kind = 'withdrawal' or state = 'stopped' or (order_id is not null and item_id is not null and deliver_by is not null)),
  check ((state = 'signed') <= (transaction_id is not null)),
  check (state <> 'waiting' or transaction_id is null),
  check ((state = 'failed') = (reason is not null)),
  check ((state = 'final') = (block is not null))
);

create unique index one_withdrawal_per_token on delivery (token) where kind = 'withdrawal' and state in ('waiting', 'signed');
-- Two signers never move the same token at once.
create unique index one_signed_delivery_per_token on delivery (token) where state = 'signed';
create index delivery_open on delivery (token, created_at) where state in ('waiting', 'signed');
create index delivery_of_transaction on delivery (transaction_id);
-- For the comparison with payments, which reads what became final since the last one.
create index delivery_final on delivery (changed_at, line_id) where kind = 'sale' and state = 'final';
create index withdrawal_of_person on delivery (buyer_id, created_at desc) where kind = 'withdrawal';

-- The transitions of delivery.ts; a test compares the two.
create function delivery_transition() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not (old.state, new.state) in (
    ('waiting', 'signed'), ('waiting', 'final'), ('waiting', 'failed'), ('waiting', 'stopped'),
    ('signed', 'waiting'), ('signed', 'final'), ('signed', 'failed')
  ) then
    raise exception 'a delivery cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  new.changed_at := now();
  return new;
end $$;

create trigger delivery_transition before update on delivery for each row execute function delivery_transition();

-- The newest ERC-4494 permit of each token: the owner allows the delivery contract to move it.
-- `owner_id` is the account that submitted it.
create table permit (
  token text primary key,
  owner_id uuid not null,
  wallet text not null check (wallet = lower(wallet)),
  nonce text not null,
  deadline timestamptz not null,
  signature text not null,
  created_at timestamptz not null default now()
);

create index permit_of_owner on permit (owner_id);

-- The holder and the owner of each token, by the newest final block. Positions increase along the chain.
create table token (
  token text primary key,
  contract text not null,
  identifier text not null,
  mint_id uuid unique references mint,
  wallet text check (wallet = lower(wallet)),
  custody_account uuid,
  delivered_to uuid,
  owner_id uuid,
  position bigint not null default 0,
  published_position bigint not null default 0,
  tx_hash text,
  moved_at timestamptz,
  changed_at timestamptz not null default now(),
  check (wallet is null or custody_account is null)
);

create function token_changed() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end $$;

create trigger token_changed before update on token for each row execute function token_changed();

-- For the comparison with catalog and with the mints.
create index token_by_change on token (changed_at, token);
create index token_unknown on token (token) where mint_id is null;
create index token_of_wallet on token (wallet);
create index token_of_custody on token (custody_account);

-- The last indexed block. The row's lock serialises all changes of token owners.
create table chain_cursor (
  collection text primary key,
  block bigint not null,
  block_hash text,
  halted_reason text
);

-- Tokens that catalog lists for sale.
create table listed_token (token text primary key);

-- Deliveries in final blocks that this database has no line for: it was restored from a backup, or another process has
-- the key. `line_key` is the line id on the chain.
create table unexpected_delivery (
  line_key text primary key,
  token text not null,
  recipient text not null,
  -- The custody account on the chain, of a delivery into custody.
  account text,
  tx_hash text not null,
  block bigint not null,
  at timestamptz not null
);
