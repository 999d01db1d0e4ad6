-- A withdrawal that was ended, and that the chain delivered all the same, is final. A sale that was ended is settled as such: payments
-- has released its hold.
create or replace function delivery_transition() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not (old.state, new.state) in (
    ('waiting', 'signed'), ('waiting', 'final'), ('waiting', 'failed'), ('waiting', 'stopped'),
    ('signed', 'waiting'), ('signed', 'final'), ('signed', 'failed')
  ) and not (new.kind = 'withdrawal' and old.state in ('failed', 'stopped') and new.state = 'final') then
    raise exception 'a delivery cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  new.changed_at := now();
  return new;
end $$;
