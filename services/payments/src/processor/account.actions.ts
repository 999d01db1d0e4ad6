import type { Log } from '@nifty/service-kit/base/logs'
import { type Kysely, sql } from 'kysely'
import { raiseAlarm } from '../alarms/alarm.store.ts'
import type { Database } from '../db.ts'
import type { Processor, ReadRight } from './processor.ts'

/** The API key is of another account or mode: nothing that the processor returns about our payments is a fact. */
class AnotherAccountError extends Error {}

/**
 * Compares account and mode of the API key with those that the first start stored. Throws when they differ, and when
 * the account cannot be read.
 */
export async function requireSameAccount(db: Kysely<Database>, { accountId, livemode }: Processor) {
  const id = await accountId()
  const { rows } = await sql<{ accountId: string; livemode: boolean }>`
    insert into processor_account (account_id, livemode) values (${id}, ${livemode})
    on conflict (id) do update set account_id = processor_account.account_id
    returning account_id, livemode`.execute(db)
  const stored = rows[0]!
  const nameOf = (account: string, isLive: boolean) => `${account} (${isLive ? 'live' : 'test'})`
  if (stored.accountId !== id || stored.livemode !== livemode)
    throw new AnotherAccountError(
      `STRIPE_SECRET_KEY is of ${nameOf(id, livemode)}, and the payments in this database are of ${nameOf(stored.accountId, stored.livemode)}`,
    )
}

type Deps = { longPool: Kysely<Database>; processor: Processor; log: Log }

const missedWithout: Record<ReadRight, string> = {
  account: 'STRIPE_SECRET_KEY may not read its account: an order whose session is missing cannot end',
  early_fraud_warnings: "STRIPE_SECRET_KEY may not read early fraud warnings: the banks' warnings are not noticed",
  customers:
    'STRIPE_SECRET_KEY has no right to Customers: the payment page remembers no cards, and cards are not forgotten',
}

/** Refuses to start with another account. While the account cannot be read, the job checks it later. */
export async function checkAccountAtStart({ longPool, processor, log }: Deps) {
  try {
    await requireSameAccount(longPool, processor)
  } catch (error) {
    if (error instanceof AnotherAccountError) throw error
    log.warn({ err: error }, 'processor account: not readable at the start, checking it later')
  }
}

/** Raises an alarm for each right that the API key lacks, and when it is of another account. */
export async function checkAccount({ longPool, processor, log }: Deps) {
  const missing = await processor.missingRights()
  for (const right of missing)
    await raiseAlarm(longPool, log, {
      name: 'key_without_right',
      subject: right,
      orderId: null,
      detail: missedWithout[right],
    })
  if (missing.includes('account')) return
  try {
    await requireSameAccount(longPool, processor)
  } catch (error) {
    if (!(error instanceof AnotherAccountError)) throw error
    await raiseAlarm(longPool, log, {
      name: 'another_account',
      subject: 'STRIPE_SECRET_KEY',
      orderId: null,
      detail: error.message,
    })
  }
}
