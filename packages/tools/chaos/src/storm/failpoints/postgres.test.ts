import { expect, test } from 'vitest'
import { writeOf } from './postgres.ts'

test('a statement that writes is named by its verb and its table, also behind a with', () => {
  expect(writeOf('insert into "inbox" ("message_id") values ($1)')).toEqual(['insert', 'inbox'])
  expect(writeOf('update orders set state = $1')).toEqual(['update', 'orders'])
  expect(writeOf('delete from retry_message where id = $1')).toEqual(['delete', 'retry_message'])
  const ofInbox = `
    with behind as materialized (
      select from retry_message where key = $1 limit 1
    ), stored as (
      insert into inbox (message_id, name) select $2::uuid, $3::text on conflict do nothing returning message_id
    )
    select exists (select from behind), exists (select from stored)`
  expect(writeOf(ofInbox)).toEqual(['insert', 'inbox'])
})

test('a statement that only reads writes nothing', () => {
  expect(writeOf('select * from inbox')).toEqual([])
  expect(writeOf('with hit as (select id from item) select * from hit')).toEqual([])
})
