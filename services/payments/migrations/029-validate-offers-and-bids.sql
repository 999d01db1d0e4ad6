-- outside a transaction
do $$
begin
  -- Read all orders and lines, which others read and change meanwhile.
  alter table orders validate constraint orders_kind_check, validate constraint orders_days_check;
  commit;
  alter table line validate constraint line_reason_check;
  commit;
end $$;
