import { setTimeout as sleep } from 'node:timers/promises'
import { deliveryFinal } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import { query } from '../campaign/databases.ts'
import { deliveryFinalV2 } from './next/events.ts'

const POLL_MS = 200

/** The services that consume `delivery-final`. */
const consumers = ['catalog', 'payments']

type Published = { id: string; line: string; note: string | null }

/** Collects which events were kept because the consumer's release did not know their version, until `stop`. */
export function watchUnknownVersions(folder: string) {
  const kept = new Set<string>()
  let stopped = false
  const watching = (async () => {
    while (!stopped) {
      for (const service of consumers) {
        const rows = await query<{ id: string }>(
          folder,
          service,
          'select message_id as id from retry_message where unknown_version',
        )
        for (const { id } of rows) kept.add(`${service} ${id}`)
      }
      await sleep(POLL_MS)
    }
  })()
  return {
    stop: async () => {
      stopped = true
      await watching
      return kept
    },
  }
}

/**
 * Counts, after all events were consumed, how often a release read an event of the other one. Each count has to be
 * above zero: otherwise the campaign has shown nothing. `kept` are the messages of `watchUnknownVersions`.
 */
export async function countReads(folder: string, kept: Set<string>) {
  const published = (service: string, name: string) =>
    query<Published>(
      folder,
      service,
      `select id, data->>'lineId' as line, data->>'nextVersionNote' as note from outbox where name = $1`,
      [name],
    )
  const readByNext = async (service: string, name: string) =>
    new Map(
      (
        await query<{ line: string; note: string | null }>(
          folder,
          service,
          'select line_id as line, note from next_version_read where name = $1',
          [name],
        )
      ).map(({ line, note }) => [line, note]),
    )
  const consumed = async (service: string, name: string) =>
    new Set(
      (await query<{ id: string }>(folder, service, 'select message_id as id from inbox where name = $1', [name])).map(
        ({ id }) => id,
      ),
    )

  const violations: string[] = []
  const authorised = await published('payments', orderLineAuthorised.name)
  const withField = authorised.filter(({ note }) => note)
  const readByMinting = await readByNext('minting', orderLineAuthorised.name)
  const readByNotification = await readByNext('notification', orderLineAuthorised.name)
  for (const { line, note } of authorised)
    if (readByMinting.has(line) && readByMinting.get(line) !== note)
      violations.push(`minting read ${readByMinting.get(line)} and not ${note} of line ${line}`)

  const first = await published('minting', deliveryFinal.name)
  const second = await published('minting', deliveryFinalV2.name)
  const linesOfFirst = new Set(first.map(({ line }) => line))
  for (const { line } of second)
    if (!linesOfFirst.has(line)) violations.push(`line ${line} has ${deliveryFinalV2.name} alone`)

  const counts: Record<string, number> = {
    'events with the new field': withField.length,
    'of these read by the former release': withField.filter(({ line }) => !readByNotification.has(line)).length,
    'events without it read by the next release': authorised.filter(
      ({ line, note }) => !note && readByMinting.has(line),
    ).length,
    'delivery-final.v1 published': first.length,
    'delivery-final.v2 published beside it': second.length,
  }
  for (const service of consumers) {
    const ids = await consumed(service, deliveryFinalV2.name)
    const lines = await readByNext(service, deliveryFinalV2.name)
    for (const { id, line } of second)
      if (!ids.has(id) || !lines.has(line)) violations.push(`${service} has not consumed ${deliveryFinalV2.name} ${id}`)
    counts[`delivery-final.v2 consumed by ${service}`] = second.filter(({ id }) => ids.has(id)).length
    counts[`of these kept until the next release, ${service}`] = second.filter(({ id }) =>
      kept.has(`${service} ${id}`),
    ).length
  }
  for (const [what, count] of Object.entries(counts)) if (count === 0) violations.push(`none: ${what}`)
  return { counts, violations }
}
