import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../errors.ts'
import { type Log, withContext } from '../logs.ts'
import { handleOnce, type Subscription } from './inbox.ts'
import type { MessagingTables } from './tables.ts'

/** Tries until a message is given up: about four minutes in all. */
export const MAX_ATTEMPTS = 12

/** Pause before the next try, in milliseconds. */
export const pauseAfter = (attempts: number) => Math.min(100 * 2 ** attempts, 60_000)

/**
 * Tries the oldest parked message of one key again. Returns false when nothing is due.
 * Row locks keep two replicas apart; a failed try moves the message's next one further away.
 */
export async function retryParked(db: Kysely<any>, subscriptions: Subscription<any>[], log: Log): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{
      messageId: string
      name: string
      topic: string
      key: string
      data: unknown
      correlationId: string | null
      traceparent: string | null
      attempts: number
    }>`
      select * from parked_event p
      where given_up_at is null and next_attempt_at <= now()
        and not exists (
          select from parked_event earlier
          where earlier.topic = p.topic and earlier.key = p.key and earlier.seq < p.seq and earlier.given_up_at is null)
      order by seq limit 1 for update skip locked`.execute(trx)
    const message = rows[0]
    if (!message) return false

    await sql`savepoint attempt`.execute(trx)
    try {
      await withContext({ correlationId: message.correlationId ?? message.messageId }, () =>
        handleOnce(trx, subscriptions, { ...message, id: message.messageId }),
      )
      await sql`delete from parked_event where message_id = ${message.messageId}`.execute(trx)
    } catch (error) {
      await sql`rollback to savepoint attempt`.execute(trx)
      const attempts = message.attempts + 1
      const givenUp = attempts >= MAX_ATTEMPTS
      await sql`
        update parked_event set attempts = ${attempts}, error = ${String(error)},
          next_attempt_at = now() + make_interval(secs => ${pauseAfter(attempts) / 1000}),
          given_up_at = ${givenUp ? sql`now()` : null}
        where message_id = ${message.messageId}`.execute(trx)
      log[givenUp ? 'error' : 'warn'](
        { err: error, event: message.name, messageId: message.messageId, attempts },
        'parked event failed again',
      )
    }
    return true
  })
}

const AT_MOST = 500

/** What waits, oldest first; the counts are of all. */
export async function listParked(db: Kysely<MessagingTables>) {
  const messages = await db.selectFrom('parkedEvent').selectAll().orderBy('seq').limit(AT_MOST).execute()
  const { total, givenUp } = await db
    .selectFrom('parkedEvent')
    .select(({ fn }) => [fn.countAll<number>().as('total'), fn.count<number>('givenUpAt').as('givenUp')])
    .executeTakeFirstOrThrow()
  return { messages, total, givenUp }
}

/** `only` is a message's id or a key; without it, everything that is parked. */
export type Replay = { only?: string; operator: string; reason: string }

/**
 * Has parked messages tried at once, given up or not, and keeps who wanted it and why; returns how many. One that was
 * given up comes after what followed it with the same key meanwhile. Repeated, it does no harm: what was dealt with is
 * parked no more.
 */
export async function replayParked(
  trx: Transaction<MessagingTables>,
  { only, operator, reason }: Replay,
): Promise<number> {
  const chosen = sql<boolean>`${only ?? null}::text is null or ${only ?? null} in (message_id::text, key)`
  const messages = await trx
    .updateTable('parkedEvent')
    .set({ attempts: 0, givenUpAt: null, nextAttemptAt: new Date() })
    .where(chosen)
    .returning(['messageId', 'name', 'key'])
    .execute()
  if (messages.length > 0)
    await trx
      .insertInto('replay')
      .values(messages.map((message) => ({ ...message, operator, reason })))
      .execute()
  else if (only !== undefined && !(await trx.selectFrom('replay').select('id').where(chosen).executeTakeFirst()))
    throw notFound('not_parked', 'Nothing with this id or key is parked, nor ever was replayed')
  return messages.length
}
