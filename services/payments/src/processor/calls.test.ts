import { startHttpServer } from '@nifty/service-kit/testing/http-server'
import { expect, test } from 'vitest'
import { createProcessor } from './processor.ts'

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
