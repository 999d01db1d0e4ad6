-- Actions of operators. A row commits together with the change it records and is never changed afterwards.
create table audit_log (
  id uuid primary key default uuidv7(),
  -- The person, as the operator's tool sends it.
  operator text not null check (char_length(operator) between 1 and 200),
  reason text not null check (char_length(reason) between 1 and 500),
  action text not null,
  -- Identifier of what was acted on: an account, an order, a signer, a message.
  subject text not null,
  at timestamptz not null default now()
);

create index audit_log_subject on audit_log (subject, id);

create function audit_log_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only';
end $$;

create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function audit_log_append_only();

create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function audit_log_append_only();
