import pg from 'pg'

/** Copies the store's works as rows of catalog up to this number; the copies have no token on the chain. */
export async function fillCatalog(serverUrl: string, works: number) {
  const url = new URL(serverUrl)
  url.pathname = '/catalog'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query('begin; alter table item disable trigger user; drop index item_search')
    await client.query(
      `insert into item select copy.*
       from (select *, count(*) over () as works, row_number() over () as place from item) original
       cross join lateral generate_series(1, ceil($1::float / works)::int - 1) n
       cross join lateral (select '9' || lpad(works::text, 9, '0') || lpad(n::text, 9, '0') || place as identifier) its
       cross join lateral jsonb_populate_record(null::item, to_jsonb(original) || jsonb_build_object(
         'id', gen_random_uuid(), 'token', lower(original.contract) || '/' || its.identifier,
         'identifier', its.identifier, 'name', original.name || ' ' || n,
         'search_text', original.search_text || ' ' || n,
         'shown_at', original.shown_at - n * interval '1 minute')) copy`,
      [works],
    )
    await client.query(
      `create index item_search on item using gin (search_grams(search_text));
       alter table item enable trigger user; call bump_market_generation(); commit; analyze item`,
    )
    const { rows } = await client.query('select count(*)::int as works from item')
    return rows[0].works as number
  } finally {
    await client.end()
  }
}
