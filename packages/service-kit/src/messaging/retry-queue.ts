import { type Kysely, sql, type Transaction } from 'kysely'
import { conflict, notFound } from '../base/errors.ts'
import { type Log, withContext } from '../base/logs.ts'
import { listOperatorActions, type OperatorReason, recordOperatorAction } from '../database/operator-audit.ts'
import { handleOnce, type Subscription } from './inbox.ts'
import { fromRow } from './message.ts'
import type { MessagingTables } from './tables.ts'
import { isUnknownVersion } from './version.ts'

/** Attempts until a message is a dead letter: about four minutes in all. */
export const MAX_ATTEMPTS = 12

/** Delay before the next attempt, in ms. */
export const pauseAfter = (attempts: number) => Math.min(100 * 2 ** attempts, 60_000)

const isHandled = (alias: 'p' | 'earlier', names: string[]) =>
  sql`(${sql.ref(`${alias}.deadLetteredAt`)} is null
    or ${sql.ref(`${alias}.unknownVersion`)} and ${sql.ref(`${alias}.name`)} = any(${names}::text[]))`

/** Due messages whose key has no earlier one in the queue. */
const isDue = (names: string[]) => sql`${isHandled('p', names)} and p.next_attempt_at <= now()
  and not exists (
    select from retry_message earlier
    where earlier.topic = p.topic and earlier.key = p.key and earlier.seq < p.seq and ${isHandled('earlier', names)})`

const namesOf = (subscriptions: Subscription<any>[]) => subscriptions.map(({ event }) => event.name)

/** How often an empty queue is read, for messages that another process has stored. */
const EMPTY_MS = 5_000

export type RetrySearch = ReturnType<typeof createRetrySearch>

/** Searches for due messages. Remembers that the queue was empty, as it mostly is. */
export function createRetrySearch(db: Kysely<any>, subscriptions: Subscription<any>[]) {
  let additions = 0
  let nextReadAt = 0
  return {
    /** Whether a message is due that no replica is handling. */
    isMessageDue: async (): Promise<boolean> => {
      if (performance.now() < nextReadAt) return false
      const before = additions
      const { rows } = await sql<{ isFilled: boolean; isDue: boolean }>`
        select exists (select from retry_message) as is_filled, exists (
          select from retry_message p where ${isDue(namesOf(subscriptions))} limit 1 for update skip locked) as is_due`.execute(
        db,
      )
      const { isFilled, isDue: found } = rows[0]!
      if (!isFilled && additions === before) nextReadAt = performance.now() + EMPTY_MS
      return found
    },
    /** This process has added a message. */
    added: () => {
      additions++
      nextReadAt = 0
    },
  }
}

type Due = {
  messageId: string
  name: string
  topic: string
  key: string
  data: unknown
  correlationId: string | null
  traceparent: string | null
  attempts: number
}

/**
 * Retries the oldest due message whose key has no earlier one in the queue. Returns false when none is due. The row
 * lock keeps other replicas from the same message; a failed attempt delays the next one, also when the handler has cost
 * the connection. Dead letters of a version that was unknown are due as soon as a subscription has their name.
 */
export async function retryDueMessage(db: Kysely<any>, subscriptions: Subscription<any>[], log: Log): Promise<boolean> {
  /** An attempt whose transaction ended with its connection. */
  let lost: { message: Due; error: unknown } | undefined
  try {
    return await db.transaction().execute(async (trx) => {
      const { rows } = await sql<Due>`
        select * from retry_message p where ${isDue(namesOf(subscriptions))}
        order by seq limit 1 for update skip locked`.execute(trx)
      const message = rows[0]
      if (!message) return false

      await sql`savepoint attempt`.execute(trx)
      try {
        await withContext({ correlationId: message.correlationId ?? message.messageId }, () =>
          handleOnce(trx, subscriptions, fromRow(message.messageId, message), { isRetry: true }),
        )
        await sql`delete from retry_message where message_id = ${message.messageId}`.execute(trx)
      } catch (error) {
        lost = { message, error }
        await sql`rollback to savepoint attempt`.execute(trx)
        lost = undefined
        await countFailure(trx, subscriptions, { message, error, log })
      }
      return true
    })
  } catch (error) {
    if (!lost) throw error
    await countFailure(db, subscriptions, { ...lost, log })
    return true
  }
}

async function countFailure(
  db: Kysely<any>,
  subscriptions: Subscription<any>[],
  { message, error, log }: { message: Due; error: unknown; log: Log },
) {
  const { messageId, name } = message
  const attempts = message.attempts + 1
  const deadLettered = attempts >= MAX_ATTEMPTS
  await sql`
    update retry_message set attempts = ${attempts}, error = ${String(error)},
      next_attempt_at = now() + make_interval(secs => ${pauseAfter(attempts) / 1000}),
      dead_lettered_at = ${deadLettered ? sql`now()` : null},
      unknown_version = ${deadLettered && isUnknownVersion(subscriptions, name)}
    where message_id = ${messageId}`.execute(db)
  log[deadLettered ? 'error' : 'warn'](
    { err: error, event: name, messageId, attempts },
    deadLettered ? 'event failed again, now a dead letter' : 'event failed again, retry scheduled',
  )
}

const MAX_LISTED = 500

/** The retry queue, oldest first, at most 500 messages; the counts are of all. */
export async function listRetryMessages(db: Kysely<MessagingTables>) {
  const messages = await db.selectFrom('retryMessage').selectAll().orderBy('seq').limit(MAX_LISTED).execute()
  const { total, deadLettered } = await db
    .selectFrom('retryMessage')
    .select(({ fn }) => [fn.countAll<number>().as('total'), fn.count<number>('deadLetteredAt').as('deadLettered')])
    .executeTakeFirstOrThrow()
  return { messages, total, deadLettered }
}

/** `only` is a message's id or a key; without it, the whole retry queue. */
export type Replay = OperatorReason & { only?: string }

/**
 * Makes messages of the retry queue due at once, dead letters included, and records the operator's action for each
 * message and key. Returns how many are retried and how many are not. A dead letter is handled after the messages of
 * its key that followed it; one of an unknown version stays one until a release knows it. Safe to repeat: handled
 * messages are no longer in the queue. Throws 404 for an id or key that was never in it.
 */
export async function replayRetryMessages(
  trx: Transaction<MessagingTables>,
  { only, operator, reason }: Replay,
): Promise<{ messages: number; unknownVersion: number }> {
  const messages = await trx
    .updateTable('retryMessage')
    .set({
      attempts: 0,
      deadLetteredAt: sql`case when unknown_version then dead_lettered_at end`,
      nextAttemptAt: new Date(),
    })
    .where(sql<boolean>`${only ?? null}::text is null or ${only ?? null} in (message_id::text, key)`)
    .returning(['messageId', 'key', 'unknownVersion'])
    .execute()
  const subjects = new Set(messages.flatMap(({ messageId, key }) => [messageId, key]))
  for (const subject of subjects)
    await recordOperatorAction(trx, { action: 'replay-messages', subject, operator, reason })
  if (messages.length === 0 && only !== undefined) await requireActionOn(trx, only)
  const unknownVersion = messages.filter((message) => message.unknownVersion).length
  return { messages: messages.length - unknownVersion, unknownVersion }
}

const requireActionOn = async (trx: Transaction<MessagingTables>, subject: string) => {
  if ((await listOperatorActions(trx, [subject])).length === 0)
    throw notFound('message_not_found', 'No message with this id or key is or was in the retry queue')
}

/**
 * Removes a dead letter, marks its message as handled, and records the operator's action. Returns name and key of the
 * event; null if an operator's action removed it before. Throws 404 for a message that was never in the queue, 409 for
 * one that is still retried.
 */
export async function discardRetryMessage(
  trx: Transaction<MessagingTables>,
  { messageId, operator, reason }: OperatorReason & { messageId: string },
): Promise<{ name: string; key: string } | null> {
  const message = await trx
    .selectFrom('retryMessage')
    .select(['name', 'key', 'deadLetteredAt'])
    .where('messageId', '=', messageId)
    .forUpdate()
    .executeTakeFirst()
  if (!message) {
    await requireActionOn(trx, messageId)
    return null
  }
  const { name, key, deadLetteredAt } = message
  if (!deadLetteredAt)
    throw conflict('not_dead_lettered', 'This event is still retried: only a dead letter can be discarded')
  await recordOperatorAction(trx, { action: 'discard-message', subject: messageId, operator, reason })
  await sql`insert into inbox (message_id, name) values (${messageId}, ${name}) on conflict do nothing`.execute(trx)
  await trx.deleteFrom('retryMessage').where('messageId', '=', messageId).execute()
  return { name, key }
}
