-- The generation is read when a request needs it (cache/generation.ts). A NOTIFY takes a lock of the whole database at each commit.
create or replace procedure bump_market_generation() language plpgsql as $$
begin
  if current_setting('catalog.generation_bumped', true) is distinct from 'yes' then
    update market_generation set changes = changes + 1 where slot = pg_backend_pid() % 64;
    perform set_config('catalog.generation_bumped', 'yes', true);
  end if;
end $$;
