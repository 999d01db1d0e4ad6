import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { testDatabaseUrl } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { anyOf, ensureDatabase, isTransientDatabaseError, openDatabase } from './database.ts'
import { inSnapshot, inTransaction } from './transaction.ts'

type Fruit = { id: number; name: string }
let db: Kysely<{ fruit: Fruit }>
let url: string

beforeEach(async () => {
  url = testDatabaseUrl(`prepared_${randomUUID().replaceAll('-', '')}`)
  await ensureDatabase(url)
  db = openDatabase({ url, log: testLog, maxConnections: 1 })
  await sql`create table fruit (id integer primary key, name text not null)`.execute(db)
  await db.insertInto('fruit').values([apple, pear]).execute()
  return () => db.destroy()
})

const apple = { id: 1, name: 'apple' }
const pear = { id: 2, name: 'pear' }
const fruitOf = (id: number, on = db) => on.selectFrom('fruit').selectAll().where('id', '=', id).execute()

async function repeatUntilPrepared() {
  for (let time = 0; time < 4; time++) expect(await fruitOf(1)).toEqual([apple])
}

/** Of another process: the statements of this one are stale afterwards. */
async function addColumn() {
  const migrating = openDatabase<any>({ url, log: testLog })
  await sql`alter table fruit add column colour text not null default 'green'`.execute(migrating)
  await migrating.destroy()
}

const prepared = async () =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)).rows.map(
    ({ statement }) => statement,
  )

test('a statement that is repeated is prepared once for its connection, one that is sent twice is not', async () => {
  await fruitOf(1)
  await fruitOf(2)
  expect(await prepared()).toEqual([])
  await repeatUntilPrepared()
  expect(await prepared()).toEqual(['select * from "fruit" where "id" = $1'])
})

test('lists of every length are one statement', async () => {
  const fruits = (ids: number[]) => db.selectFrom('fruit').select('name').where('id', '=', anyOf(ids)).orderBy('id')
  for (const ids of [[1], [1, 2], [], [2, 1, 3]]) await fruits(ids).execute()
  expect(await prepared()).toHaveLength(1)
  expect(await fruits([1, 2, 3]).execute()).toEqual([{ name: 'apple' }, { name: 'pear' }])
  expect(await fruits([]).execute()).toEqual([])
})

test('a statement whose columns a migration changed is sent again', async () => {
  await repeatUntilPrepared()
  await addColumn()
  expect(await fruitOf(1)).toEqual([{ ...apple, colour: 'green' }])
  expect(await fruitOf(2)).toEqual([{ ...pear, colour: 'green' }])
})

test('a transaction with such a statement is repeated as a whole', async () => {
  await repeatUntilPrepared()
  await addColumn()
  const read = await inTransaction(db, async (trx) => {
    await trx.updateTable('fruit').set({ name: 'quince' }).where('id', '=', 2).execute()
    return fruitOf(1, trx)
  })
  expect(read).toEqual([{ ...apple, colour: 'green' }])
  expect(await fruitOf(2)).toEqual([{ id: 2, name: 'quince', colour: 'green' }])
})

test('a snapshot with such a statement is read again', async () => {
  await repeatUntilPrepared()
  await addColumn()
  expect(await inSnapshot(db, (snapshot) => fruitOf(1, snapshot))).toEqual([{ ...apple, colour: 'green' }])
})

test('without a repetition the transaction fails as while the database is busy, and the next one works', async () => {
  await repeatUntilPrepared()
  await addColumn()
  const read = () => db.transaction().execute((trx) => fruitOf(1, trx))
  const error = await read().catch((failure) => failure)
  expect(isTransientDatabaseError(error)).toBe(true)
  expect(await read()).toEqual([{ ...apple, colour: 'green' }])
})

test('a connection prepares at most 500 statements, and sends the others as text', async () => {
  for (let number = 0; number < 510; number++)
    for (let time = 0; time < 3; time++)
      expect((await sql`select ${number}::int as ${sql.ref(`n${number}`)}`.execute(db)).rows).toHaveLength(1)
  expect(await prepared()).toHaveLength(500)
})
