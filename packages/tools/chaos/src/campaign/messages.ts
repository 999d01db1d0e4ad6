import { serviceNames } from '@nifty/api/services'
import { waitUntil } from '@nifty/testkit/wait-until'
import type pg from 'pg'
import { withDatabase } from './databases.ts'

/** A message in the retry queue is retried for about four minutes. */
const TIMEOUTS = { timeoutMs: 300_000, intervalMs: 1_000 }

type Event = { id: string; name: string; published: boolean }

/**
 * Waits until every published event was consumed by each service that consumes its name, by the outbox and inbox
 * tables; returns what is missing.
 */
export async function lostEvents(folder: string): Promise<{ events: number; violations: string[] }> {
  let found = { events: 0, violations: ['nothing was read'] }
  await waitUntil(async () => {
    found = await compare(folder)
    return found.violations.length === 0
  }, TIMEOUTS).catch(() => {})
  return found
}

async function compare(folder: string) {
  const published: Event[] = []
  const consumed = new Map<string, { ids: Set<string>; names: Set<string>; retrying: string[] }>()
  for (const service of serviceNames) {
    await withDatabase(folder, service, async (client) => {
      published.push(
        ...(await rows<Event>(client, 'select id, name, published_at is not null as published from outbox')),
      )
      const inbox = await rows<{ id: string; name: string }>(client, 'select message_id as id, name from inbox')
      const retrying = await rows<{ name: string; error: string }>(client, 'select name, error from retry_message')
      consumed.set(service, {
        ids: new Set(inbox.map(({ id }) => id)),
        names: new Set(inbox.map(({ name }) => name)),
        retrying: retrying.map(({ name, error }) => `${name}: ${error}`),
      })
    })
  }
  const violations = published
    .filter((event) => !event.published)
    .map(({ id, name }) => `${name} ${id} was never published`)
  for (const [service, { ids, names, retrying }] of consumed) {
    violations.push(...retrying.map((what) => `${service} has in its retry queue ${what}`))
    for (const { id, name } of published)
      if (names.has(name) && !ids.has(id)) violations.push(`${service} has not consumed ${name} ${id}`)
  }
  return { events: published.length, violations }
}

const rows = async <Row extends pg.QueryResultRow>(client: pg.Client, text: string) =>
  (await client.query<Row>(text)).rows
