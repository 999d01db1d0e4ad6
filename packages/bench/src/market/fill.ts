import pg from 'pg'

/** Copies the store's works as rows of catalog up to this number; the copies have no token on the chain. */
export async function fillCatalog(serverUrl: string, works: number) {
  const url = new URL(serverUrl)
  url.pathname = '/catalog'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query('begin; alter table item disable trigger user; drop index item_text_grams')
    await client.query(
      `insert into item select copy.*
       from (select *, count(*) over () as works, row_number() over () as place from item) original
       cross join lateral generate_series(1, ceil($1::float / works)::int - 1) n
       cross join lateral (select '9' || lpad(works::text, 9, '0') || lpad(n::text, 9, '0') || place as identifier) its
       cross join lateral jsonb_populate_record(null::item, to_jsonb(original) || jsonb_build_object(
         'id', gen_random_uuid(), 'token', lower(original.contract) || '/' || its.identifier,
         'identifier', its.identifier, 'name', original.name || ' ' || n,
         'shown_at', original.shown_at - n * interval '1 minute')) copy`,
      [works],
    )
    // A copy's text is that of its original, found by the common description, with its number in the name.
    await client.query(
      `insert into item_text (item_id, creator, name, text)
       select copy.id, creator, its.number_name, replace(text, chr(31) || item_text.name || chr(31), chr(31) || its.number_name || chr(31))
       from item copy
       join item original on original.image = copy.image and original.contract = copy.contract
       join item_text on item_text.item_id = original.id
       cross join lateral (select item_text.name || ' ' || split_part(copy.name, ' ', -1) as number_name) its
       where not exists (select from item_text where item_id = copy.id)`,
    )
    await client.query(
      `create index item_text_grams on item_text using gin (search_grams(text));
       alter table item enable trigger user; call bump_market_generation(); commit; analyze item; analyze item_text`,
    )
    const { rows } = await client.query('select count(*)::int as works from item')
    return rows[0].works as number
  } finally {
    await client.end()
  }
}
