import type { EventContract } from '@nifty/events/define-event'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Static, TObject } from 'typebox'
import { inSpan } from '../base/trace.ts'
import { eventData } from './event-data.ts'
import { type Message, toRow } from './message.ts'
import type { MessagingTables } from './tables.ts'
import { isEventOfStore, isInOwnTopic, isUnknownVersion, unknownVersionError } from './version.ts'

export type Subscription<Database> = {
  event: EventContract<any>
  handle: (trx: Transaction<Database>, data: any) => Promise<void>
}

/** Binds an event to its handler; the handler's data is typed by the event. */
export function on<Database, Data extends TObject>(
  event: EventContract<Data>,
  handle: (trx: Transaction<Database>, data: Static<Data>) => Promise<void>,
): Subscription<Database> {
  return { event, handle }
}

/**
 * Handles a message once, however often it is delivered: the handler's changes and the message's id in the inbox commit
 * together. Returns false, and changes nothing, for a message whose topic and key have another one in the retry queue,
 * unless it comes from there itself (`isRetry`).
 */
export async function handleOnce(
  trx: Transaction<any>,
  subscriptions: Subscription<any>[],
  message: Message,
  { isRetry }: { isRetry: boolean },
): Promise<boolean> {
  const { name, id, topic, traceparent } = message
  const subscription = subscriptions.find(({ event }) => event.name === name)
  if (!subscription) {
    if (isUnknownVersion(subscriptions, name)) throw unknownVersionError(name)
    return true
  }
  const { isBehind, isNew } = await storeInInbox(trx, message, { isRetry })
  if (isBehind) return false
  if (!isNew) return true
  const validator = eventData(subscription.event)
  const data = validator.Parse(validator.Clean(structuredClone(message.data)))
  const attributes = {
    'messaging.operation.name': 'process',
    'messaging.destination.name': topic,
    'messaging.message.id': id,
  }
  await inSpan({ name: `process ${name}`, kind: 'consumer', remoteParent: traceparent, root: true, attributes }, () =>
    subscription.handle(trx, data),
  )
  return true
}

/** One statement: each event that a service consumes needs it. */
async function storeInInbox(
  trx: Transaction<any>,
  { id, name, topic, key }: Message,
  { isRetry }: { isRetry: boolean },
): Promise<{ isBehind: boolean; isNew: boolean }> {
  const { rows } = await sql<{ isBehind: boolean; isNew: boolean }>`
    with behind as materialized (
      select from retry_message
      where not ${isRetry}::boolean and topic = ${topic} and key = ${key} and dead_lettered_at is null and message_id <> ${id}
      limit 1
    ), stored as (
      insert into inbox (message_id, name) select ${id}::uuid, ${name}::text where not exists (select from behind)
      on conflict do nothing returning message_id
    )
    select exists (select from behind) as is_behind, exists (select from stored) as is_new`.execute(trx)
  return rows[0]!
}

/**
 * `ignored`: an event that the service does not consume. `unknown_name`: no event of this store. `foreign_topic`:
 * published to the topic of another service than its publisher.
 */
export type Outcome = 'handled' | 'ignored' | 'retry' | 'unknown_name' | 'unknown_version' | 'foreign_topic'

/**
 * Receives one message. If the handler throws, the message is stored in the retry queue, and so are the following ones
 * with the same topic and key; other keys are not blocked. A message whose version is unknown is stored as a dead
 * letter. Throws only if the message could not be stored.
 */
export async function receive(db: Kysely<any>, subscriptions: Subscription<any>[], message: Message): Promise<Outcome> {
  const tables = db as Kysely<MessagingTables>
  if (!isInOwnTopic(message)) return 'foreign_topic'
  if (!subscriptions.some(({ event }) => event.name === message.name)) {
    if (isUnknownVersion(subscriptions, message.name)) {
      await storeUnknownVersion(tables, message)
      return 'unknown_version'
    }
    return isEventOfStore(message.name) ? 'ignored' : 'unknown_name'
  }
  let failure: unknown
  try {
    const isHandled = await db
      .transaction()
      .execute((trx: Transaction<any>) => handleOnce(trx, subscriptions, message, { isRetry: false }))
    if (isHandled) return 'handled'
  } catch (error) {
    failure = error
  }
  await tables
    .insertInto('retryMessage')
    .values({
      ...toRow(message),
      messageId: message.id,
      attempts: failure ? 1 : 0,
      error: failure ? String(failure) : null,
      deadLetteredAt: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return 'retry'
}

async function storeUnknownVersion(db: Kysely<MessagingTables>, message: Message) {
  await db
    .insertInto('retryMessage')
    .values({
      ...toRow(message),
      messageId: message.id,
      attempts: 0,
      error: String(unknownVersionError(message.name)),
      deadLetteredAt: new Date(),
      unknownVersion: true,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
