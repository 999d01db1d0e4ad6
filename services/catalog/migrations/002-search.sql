-- The searched text is in a table of its own: a listing or a sale updates the item and leaves this index alone.
drop index item_search;
alter table item drop column search_text;

create table item_text (
  item_id uuid primary key references item (id) on delete cascade,
  -- All folded (items/search-text.ts): lower case, without accents and punctuation.
  creator text not null,
  name text not null,
  -- Creator, U+001F, name, U+001F, description, U+001F, words of the category, U+001F, spellings with punctuation.
  text text not null
);

-- Writes into one array in place; appending copies the array each time.
create or replace function search_grams(search_text text) returns text[]
language plpgsql immutable strict parallel safe as $$
declare
  grams text[] := '{}';
  size integer := 0;
  letter text;
  before text := '';
  before_that text := '';
begin
  foreach letter in array string_to_array(search_text, null) loop
    grams[size + 1] := letter;
    grams[size + 2] := before || letter;
    grams[size + 3] := before_that || before || letter;
    size := size + 3;
    before_that := before;
    before := letter;
  end loop;
  return grams;
end $$;

create index item_text_grams on item_text using gin (search_grams(text));

-- The words of all texts. A search that finds nothing is repeated with similar words.
create table search_word (word text collate "C" primary key);

-- The word, and the word without each one of its letters. Two words that differ by one wrong, missing, additional or
-- transposed letter have one of these in common.
create function word_variants(word text) returns text[]
language sql immutable strict parallel safe as $$
  select array_agg(overlay(word placing '' from at for 1)) || word from generate_series(1, length(word)) at
$$;

create index search_word_variants on search_word using gin (word_variants(word));
