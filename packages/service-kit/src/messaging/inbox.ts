import type { EventContract } from '@nifty/events/define-event'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'
import { inSpan } from '../traces/trace.ts'
import type { MessagingTables } from './tables.ts'
import type { Message } from './transport.ts'

export type Subscription<Database> = {
  event: EventContract<any>
  handle: (trx: Transaction<Database>, data: any) => Promise<void>
}

/** Ties a contract to the function that answers it; the data is typed by the contract. */
export function on<Database, Data extends TObject>(
  event: EventContract<Data>,
  handle: (trx: Transaction<Database>, data: Static<Data>) => Promise<void>,
): Subscription<Database> {
  return { event, handle }
}

/** Handles a message once, however often it arrives, in one transaction with the note that it did. */
export async function handleOnce(
  trx: Transaction<any>,
  subscriptions: Subscription<any>[],
  message: Message,
): Promise<void> {
  const subscription = subscriptions.find(({ event }) => event.name === message.name)
  if (!subscription) return
  const data = Value.Parse(subscription.event.data, Value.Clean(subscription.event.data, structuredClone(message.data)))
  const { numInsertedOrUpdatedRows } = await (trx as Transaction<MessagingTables>)
    .insertInto('inbox')
    .values({ messageId: message.id, name: message.name })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) return
  const { name, id, topic, traceparent } = message
  const facts = { 'messaging.destination.name': topic, 'messaging.message.id': id }
  await inSpan({ name: `hear ${name}`, kind: 'consumer', continues: traceparent, begins: true, facts }, () =>
    subscription.handle(trx, data),
  )
}

/**
 * Receives one message. A handler that throws means "later": the message is parked, with all that follow for the same
 * key, and nobody else waits. Throws only when not even that could be stored.
 */
export async function receive(
  db: Kysely<any>,
  subscriptions: Subscription<any>[],
  message: Message,
): Promise<'handled' | 'parked'> {
  if (!subscriptions.some(({ event }) => event.name === message.name)) return 'handled'
  const tables = db as Kysely<MessagingTables>
  let failure: unknown
  try {
    const parked = await db.transaction().execute(async (trx: Transaction<any>) => {
      if (await waitsBehind(trx, message)) return true
      await handleOnce(trx, subscriptions, message)
      return false
    })
    if (!parked) return 'handled'
  } catch (error) {
    failure = error
  }
  await tables
    .insertInto('parkedEvent')
    .values({
      messageId: message.id,
      name: message.name,
      topic: message.topic,
      key: message.key,
      data: JSON.stringify(message.data),
      correlationId: message.correlationId,
      traceparent: message.traceparent ?? null,
      attempts: failure ? 1 : 0,
      error: failure ? String(failure) : null,
      givenUpAt: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return 'parked'
}

async function waitsBehind(trx: Transaction<MessagingTables>, { topic, key, id }: Message) {
  const { rows } = await sql`
    select from parked_event
    where topic = ${topic} and key = ${key} and given_up_at is null and message_id <> ${id} limit 1`.execute(trx)
  return rows.length > 0
}
