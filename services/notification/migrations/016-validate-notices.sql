-- outside a transaction
do $$
begin
  -- Reads all notices, which others read and change meanwhile.
  alter table notice validate constraint notice_what_check;
  commit;
end $$;
