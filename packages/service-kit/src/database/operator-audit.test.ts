import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { openDatabase } from './database.ts'
import { type AuditTables, findOperatorActions, listOperatorActions, recordOperatorAction } from './operator-audit.ts'

const { url } = await createTestDatabase(`${import.meta.dirname}/../../test-migrations`)
const db = openDatabase<AuditTables>({ url, log: testLog })
afterAll(() => db.destroy())

const record = (subject: string, changes = {}) =>
  db
    .transaction()
    .execute((trx) =>
      recordOperatorAction(trx, { action: 'halt', subject, operator: 'Olga', reason: 'A test', ...changes }),
    )

test('actions on the given subjects are listed with operator and reason, oldest first', async () => {
  const first = await record('a')
  await record('b')
  const second = await record('a', { action: 'resume' })

  const entries = await listOperatorActions(db, ['a', 'c'])

  expect(entries).toMatchObject([
    { id: first, action: 'halt', subject: 'a', operator: 'Olga', reason: 'A test', at: expect.any(Date) },
    { id: second, action: 'resume' },
  ])
  expect(await listOperatorActions(db, [])).toEqual([])
})

test('actions are found by object, by action or operator, and by time, newest first', async () => {
  const find = async (filter: Parameters<typeof findOperatorActions>[1], limit = 10) =>
    (await findOperatorActions(db, filter, limit)).map(({ id }) => id)
  const first = await record('f', { operator: 'Ben' })
  const second = await record('f', { action: 'resume' })
  expect(await find({ subject: 'f' })).toEqual([second, first])
  expect(await find({ subject: 'f', word: 'Ben' })).toEqual([first])
  expect(await find({ subject: 'f', word: 'resume' })).toEqual([second])
  expect(await find({ subject: 'f' }, 1)).toEqual([second])
  expect(await find({ subject: 'f', since: new Date(Date.now() + 60_000).toISOString() })).toEqual([])
})

test('an entry is part of the transaction of the change that it records', async () => {
  const change = db.transaction().execute(async (trx) => {
    await recordOperatorAction(trx, { action: 'halt', subject: 'd', operator: 'Olga', reason: 'A test' })
    throw new Error('the change failed')
  })
  await expect(change).rejects.toThrow('the change failed')
  expect(await listOperatorActions(db, ['d'])).toEqual([])
})

test('the database refuses an entry without operator or reason, and any later change', async () => {
  const id = await record('e')

  for (const changes of [{ operator: '' }, { reason: '' }, { operator: 'x'.repeat(201) }, { reason: 'x'.repeat(501) }])
    await expect(record('e', changes)).rejects.toThrow('audit_log')
  await expect(db.updateTable('auditLog').set({ reason: 'Other' }).where('id', '=', id).execute()).rejects.toThrow(
    'append-only',
  )
  await expect(db.deleteFrom('auditLog').where('id', '=', id).execute()).rejects.toThrow('append-only')
  await expect(sql`truncate audit_log`.execute(db)).rejects.toThrow('append-only')
})
