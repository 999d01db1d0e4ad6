import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { currentTraceparent, inService, inSpan, type OpenSpan, setTracer } from './trace.ts'

type Opened = Parameters<OpenSpan>[0] & { traceparent: string }
let opened: Opened[] = []

/** Hands out spans numbered in their order; a span without a parent begins a trace of its own. */
const tracer: OpenSpan = (span) => {
  const spanId = String(opened.length + 1).padStart(16, '0')
  const traceId = span.parent?.split('-')[1] ?? spanId.padStart(32, 'a')
  const traceparent = `00-${traceId}-${spanId}-01`
  opened.push({ ...span, traceparent })
  return { ids: { trace_id: traceId, span_id: spanId }, traceparent, setAttributes: () => {}, end: () => {} }
}

beforeEach(() => {
  opened = []
  setTracer(tracer)
})
afterEach(() => setTracer(undefined))

const aTrace = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`

test('postponed work continues the trace that was stored with it', async () => {
  await inService('mails', () =>
    inSpan({ name: 'send', remoteParent: aTrace }, () => inSpan({ name: 'ask', kind: 'client' }, async () => {})),
  )
  expect(opened).toMatchObject([
    { name: 'send', service: 'mails', parent: aTrace },
    { name: 'ask', service: 'mails', parent: opened[0]!.traceparent },
  ])
})

test('work of another trace has a link to the current span', async () => {
  await inService('orders', () =>
    inSpan({ name: 'batch', root: true }, () => inSpan({ name: 'one', remoteParent: aTrace }, async () => {})),
  )
  expect(opened[1]).toMatchObject({ parent: aTrace, links: [opened[0]!.traceparent] })
})

test('work without a trace creates no span', async () => {
  expect(await inService('orders', () => inSpan({ name: 'look' }, async () => currentTraceparent()))).toBeNull()
  expect(opened).toEqual([])
})

test('only one file imports the OpenTelemetry SDK, and it is loaded on demand', () => {
  const kit = join(import.meta.dirname, '..')
  const files = readdirSync(kit, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const naming = (words: RegExp) =>
    files.filter((file) => !file.endsWith('.test.ts') && words.test(readFileSync(join(kit, file), 'utf8')))
  expect(naming(/from '@opentelemetry/)).toEqual(['base/open-telemetry.ts'])
  expect(naming(/^import(?! type).*open-telemetry/m)).toEqual([])
  expect(naming(/await import\('.\/open-telemetry.ts'\)/)).toEqual(['base/open-traces.ts'])
})
