-- outside a transaction
do $$
begin
  -- Reads all works, which others read and change meanwhile.
  alter table item validate constraint item_offer_minimum_cents_check;
  commit;
end $$;
