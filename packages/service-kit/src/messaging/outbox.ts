import type { EventContract } from '@nifty/events/define-event'
import type { Transaction } from 'kysely'
import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'
import { currentContext } from '../logs.ts'
import type { MessagingTables } from './tables.ts'

/** Records an event beside the change that caused it: both commit, or neither does. */
export async function announce<Data extends TObject>(
  trx: Transaction<any>,
  event: EventContract<Data>,
  data: Static<Data>,
) {
  const checked = Value.Parse(event.data, data) as Record<string, unknown>
  await (trx as Transaction<MessagingTables>)
    .insertInto('outbox')
    .values({
      name: event.name,
      topic: event.topic,
      key: String(checked[event.key]),
      data: JSON.stringify(checked),
      correlationId: currentContext()?.correlationId ?? null,
      publishedAt: null,
    })
    .execute()
}
