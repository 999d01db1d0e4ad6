-- When the audit of a final transaction failed last, because a node did not have its block: others are audited first.
alter table chain_transaction add column audit_attempted_at timestamptz;
