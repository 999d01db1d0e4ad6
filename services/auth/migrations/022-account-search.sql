set local lock_timeout = '2s';
-- However long it takes. Until the commit accounts are read and not changed.
set local statement_timeout = 0;

-- All n-grams of one to three characters, as catalog has them for its search. The cost keeps the planner from computing
-- them for each account.
create function name_grams(name text) returns text[]
language plpgsql immutable strict parallel safe cost 10000 as $$
declare
  grams text[] := '{}';
  size integer := 0;
  letter text;
  before text := '';
  before_that text := '';
begin
  foreach letter in array string_to_array(name, null) loop
    grams[size + 1] := letter;
    grams[size + 2] := before || letter;
    grams[size + 3] := before_that || before || letter;
    size := size + 3;
    before_that := before;
    before := letter;
  end loop;
  return grams;
end $$;

-- What operators find an account by, beside its address and its wallet.
create index account_names on account using gin (name_grams(lower(username || ' ' || first_name || ' ' || last_name)))
  where deleted_at is null;
create index account_newest on account (created_at desc, id desc) where deleted_at is null;
-- The few that an operator lists by their state.
create index account_marked on account (created_at desc, id desc)
  where deleted_at is null
    and (admin or suspended_at is not null or frozen_at is not null or deletion_requested_at is not null);
