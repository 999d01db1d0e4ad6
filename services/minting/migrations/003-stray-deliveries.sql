-- Deliveries of ours in final blocks that this database never asked for: it is older than the chain, as after a backup
-- was restored, or somebody else has the key. `line_key` is how the chain names the line.
create table stray_delivery (
  line_key text primary key,
  token text not null,
  recipient text not null,
  tx_hash text not null,
  block bigint not null,
  at timestamptz not null
);
