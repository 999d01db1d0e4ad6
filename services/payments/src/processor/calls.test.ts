import { startHttpServer } from '@nifty/service-kit/testing/http-server'
import { expect, test } from 'vitest'
import { classifyError, didNothing, isKeyOfOther } from './failure.ts'
import { createProcessor } from './processor.ts'

test('the look-up of a lost Customer reads its list page by page, within a transaction two pages at most', async () => {
  const pages: (string | null)[] = []
  const url = await startHttpServer((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://processor')
    pages.push(searchParams.get('starting_after'))
    const data = [{ id: `cus_${pages.length}`, metadata: { number: String(pages.length) } }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', data, has_more: pages.length < 3 }))
  })
  const { findCustomer } = createProcessor({ secretKey: 'sk_test_sandbox', apiUrl: url })
  const find = (number: string, options = {}) => {
    pages.length = 0
    return findCustomer({ email: null, metadata: { number } }, new Date(), options)
  }
  expect([await find('1'), pages]).toEqual(['cus_1', [null]])
  expect([await find('2'), pages]).toEqual(['cus_2', [null, 'cus_1']])
  expect([await find('3'), pages]).toEqual(['cus_3', [null, 'cus_1', 'cus_2']])
  expect([await find('4'), pages]).toEqual([null, [null, 'cus_1', 'cus_2']])
  await expect(find('3', { pagesAtMost: 2 })).rejects.toThrow('later page')
  expect(pages).toEqual([null, 'cus_1'])
})

test('a look-up since a time after the validity of the key has a range of time, too', async () => {
  const ranges: number[][] = []
  const url = await startHttpServer((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://processor')
    ranges.push(['created[gte]', 'created[lte]'].map((name) => Number(searchParams.get(name))))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', data: [], has_more: false }))
  })
  const { findCustomer } = createProcessor({ secretKey: 'sk_test_sandbox', apiUrl: url })
  const requestedAt = new Date('2026-11-01T12:00:00Z')
  const [validUntil, since] = [new Date('2026-11-02T11:00:00Z'), new Date('2026-11-03T12:00:00Z')]

  expect(await findCustomer({ email: null, metadata: {} }, requestedAt, { since })).toBeNull()

  const end = validUntil.getTime() / 1000
  expect(ranges).toEqual([[end - 300, end + 300]])
})

test.each([
  [400, 'idempotency_error', 'idempotency_key_in_use', ['unknown', false, false]],
  [409, 'idempotency_error', 'idempotency_key_in_use', ['unknown', false, false]],
  [429, 'invalid_request_error', 'idempotency_key_in_use', ['unknown', false, false]],
  [409, 'invalid_request_error', 'lock_timeout', ['unknown', false, false]],
  [400, 'idempotency_error', undefined, ['refused', true, true]],
  [400, 'invalid_request_error', 'parameter_invalid', ['refused', true, false]],
  [403, 'invalid_request_error', undefined, ['unknown', true, false]],
  [429, 'rate_limit_error', 'rate_limit', ['unknown', true, false]],
  [500, 'api_error', undefined, ['unknown', false, false]],
] as const)('a call with the error %i %s %s', async (status, type, code, means) => {
  const url = await startHttpServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { type, code } }))
  })
  const { createCustomer } = createProcessor({ secretKey: 'sk_test_sandbox', apiUrl: url })
  const error = await createCustomer({ email: null, metadata: {} }, 'key').catch((thrown) => thrown)
  expect([classifyError(error), didNothing(error), isKeyOfOther(error)]).toEqual(means)
})

test('calls are counted by what became of them', async () => {
  let status = 200
  const url = await startHttpServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"id":"acct_1","error":{}}')
  })
  const processor = createProcessor({ secretKey: 'sk_test_sandbox', apiUrl: url })
  const read = (next: number) => {
    status = next
    return processor.accountId().catch(() => undefined)
  }
  for (const [next, answers] of [
    [200, true],
    [429, false],
    [404, true],
    [500, false],
    [401, true],
  ] as const) {
    await read(next)
    expect(processor.answers()).toBe(answers)
  }
  expect(processor.calls()).toEqual({ ok: 1, refused: 2, failed: 2, none: 0 })

  const unreachable = createProcessor({ secretKey: 'sk_test_sandbox', apiUrl: 'http://127.0.0.1:9' })
  await expect(unreachable.accountId()).rejects.toThrow()
  expect(unreachable.calls()).toEqual({ ok: 0, refused: 0, failed: 0, none: 1 })
  expect(unreachable.answers()).toBe(false)
})
