-- Item pages are kept ready like the market's answers, so what only they show must move the generation too: the history
-- of a work, and the names of those who held it once.
create constraint trigger item_history_moves_market after insert or update on item_history
  deferrable initially deferred for each row execute function move_market();

create index item_history_user on item_history (user_id);

create or replace function move_market_for_account() returns trigger language plpgsql as $$
begin
  if exists (select from item where owner_id = new.user_id) or exists (select from item where creator_id = new.user_id)
    or exists (select from item_history where user_id = new.user_id) then
    call count_move();
  end if;
  return null;
end $$;
