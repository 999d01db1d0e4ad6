import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test, vi } from 'vitest'
import { createLog } from './logs.ts'

/** The error of a log line. */
async function logged(err: unknown) {
  const file = join(await temporaryFolder('logs'), 'test.log')
  createLog({ name: 'test', level: 'info', file }).warn({ err }, 'failed')
  return vi.waitFor(async () => JSON.parse(await readFile(file, 'utf8')).err)
}

test('an error is logged with its codes and with what it was thrown for', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
  const detail = Object.assign(new Error('request failed', { cause: refused }), { code: 'ERR_REQUEST' })
  const error = Object.assign(new Error('An error occurred with our connection.'), {
    type: 'StripeConnectionError',
    detail,
    headers: { authorization: 'secret' },
  })
  const line = await logged(error)
  expect(line).toMatchObject({ type: 'StripeConnectionError', message: error.message })
  expect(line.cause).toBe('request failed (ERR_REQUEST) < connect ECONNREFUSED 127.0.0.1:1 (ECONNREFUSED)')
  expect(line).not.toHaveProperty('headers')
})

test('the row that PostgreSQL quotes is not logged', async () => {
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(ada@a.test) exists.' })
  const line = await logged(error)
  expect(line).toMatchObject({ code: '23505' })
  expect(JSON.stringify(line)).not.toContain('ada@a.test')
})

test('of several addresses that were tried, the first failure is the cause', async () => {
  const error = new AggregateError([Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' })], 'all failed')
  expect((await logged(error)).cause).toBe('connect ETIMEDOUT (ETIMEDOUT)')
})

test.runIf(existsSync('/dev/full'))('a disk that is full loses lines, and ends no process', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  createLog({ name: 'test', level: 'info', file: '/dev/full' }).warn('failed')
  await vi.waitFor(() => expect(written).toHaveBeenCalledWith(expect.stringContaining('/dev/full: ENOSPC')))
  written.mockRestore()
})
