import { expect, test, vi } from 'vitest'
import { startHttpServer } from '../testing/http-server.ts'
import { testLog } from '../testing/log.ts'
import { openTraces } from './open-traces.ts'
import { inService, inSpan } from './trace.ts'

test('OTEL_TRACES_SAMPLER_ARG is the share of traces that are exported', async () => {
  const exports: string[] = []
  const collector = await startHttpServer((request, response) => {
    exports.push(request.url!)
    request.resume().on('end', () => response.end())
  })
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector)

  async function traceWork(share: string) {
    const traces = await openTraces({ ...process.env, OTEL_TRACES_SAMPLER_ARG: share }, testLog)
    await inService('orders', () => inSpan({ name: 'work', root: true }, async () => {}))
    await traces.stop()
  }

  await traceWork('0')
  expect(exports).toEqual([])
  await traceWork('1')
  expect(exports).toEqual(['/v1/traces'])
})
