import type { Log } from '@nifty/service-kit/base/logs'
import { type Kysely, sql, type Transaction } from 'kysely'
import { raiseAlarm } from '../alarms/alarm.store.ts'
import type { Database } from '../db.ts'
import { isRepeatable } from '../locks/lock.errors.ts'
import { isAcceptedEmail } from '../processor/accepted-email.ts'
import { didNothing, errorCode, isKeyExpired, isKeyOfOther } from '../processor/failure.ts'
import type { Processor } from '../processor/processor.ts'
import {
  type CardCustomer,
  hasAddress,
  lockCustomer,
  lockDueForgetting,
  lockMissing,
  postponeForgetting,
  requestForgettingOfLost,
  saveAddress,
  saveCustomer,
  saveForgotten,
} from './card-customer.store.ts'
import {
  endCreation,
  lockCreation,
  lockDueCreation,
  postponeCreation,
  requestCreation,
} from './card-customer-creation.store.ts'

/** The first one of an account, and those after a deletion. */
const keyOf = ({ userId, number }: Pick<CardCustomer, 'userId' | 'number'>) =>
  number === 1 ? `cus:${userId}` : `cus:${userId}:${number}`

/** A stored Customer that was deleted at the processor, a repeated response about a deleted one, and a new one. */
const CUSTOMERS_AT_MOST = 3

type Account = { userId: string; email: string | null }
type Deps = { db: Kysely<Database>; trx: Transaction<Database>; processor: Processor; storeId: string; log: Log }

/**
 * The Customer with which a payment page is opened, with the account's present address: created by the first page, and
 * again after it was deleted at the processor. One that has the address already takes no call. Null for a page that
 * remembers no cards: while they are being forgotten, when another page sets another address meanwhile, when the row is
 * locked for longer than the `lock_timeout`, and when the processor did not respond or refused, because no sale may
 * depend on it. Locks the account's row, so that a deletion that is requested meanwhile sees the order's parameters.
 */
export async function customerOfPage(deps: Deps, { userId, email: address }: Account): Promise<string | null> {
  const { trx, processor, log } = deps
  // Auth did not respond: the page of a Customer would have an address that may be a former one.
  if (address === null) return null
  const email = isAcceptedEmail(address) ? address : null
  const stored = await lockInTime(deps, userId, () => lockCustomer(deps, { userId, email }))
  if (stored === 'locked') return null
  if (stored.forgetRequestedAt) return null
  let { customerId, number } = stored
  if (customerId !== null && hasAddress(stored, email)) return customerId
  // Of a page that was opened meanwhile: its erasure would not be committed before the update.
  if (customerId !== null && stored.emailDigest !== null) return null
  try {
    for (let tried = 0; tried < CUSTOMERS_AT_MOST; tried++) {
      if (customerId === null) {
        const created = await createCustomer(deps, { userId, number, email })
        if (created) await saveCustomer(trx, userId, { customerId: created.id, number })
        if (created?.hasAddress) return await withAddress(created.id)
        customerId = created?.id ?? null
      }
      if (customerId !== null && (await processor.setCustomerEmail(customerId, email)))
        return await withAddress(customerId)
      customerId = null
      number++
    }
    throw new Error('every Customer was deleted')
  } catch (error) {
    log.warn({ err: error, userId }, 'card customers: the processor has none, opening a page that remembers no cards')
    return null
  }

  async function withAddress(id: string) {
    await saveAddress(trx, { userId, customerId: id, email })
    return id
  }
}

/** The row that `lock` locks; 'locked' while another transaction has it for longer than the `lock_timeout`. */
async function lockInTime<Row>({ trx, log }: Deps, userId: string, lock: () => Promise<Row>): Promise<Row | 'locked'> {
  await sql`savepoint customer`.execute(trx)
  try {
    return await lock()
  } catch (error) {
    if (!isRepeatable(error)) throw error
    await sql`rollback to savepoint customer`.execute(trx)
    log.warn({ err: error, userId }, 'card customers: the row is locked, opening a page that remembers no cards')
    return 'locked'
  }
}

/**
 * Instead of one that the processor no longer has, whose id is forgotten. `email`: as for a page that has not been
 * opened before.
 */
export async function customerInsteadOf(deps: Deps, { missing, ...account }: Account & { missing: string }) {
  const { userId } = account
  const customer = await lockInTime(deps, userId, () => lockMissing(deps.trx, { userId, customerId: missing }))
  if (customer === 'locked') return null
  if (customer) await saveForgotten(deps.trx, customer)
  return customer?.forgetRequestedAt ? null : customerOfPage(deps, account)
}

const metadataOf = (storeId: string, { userId, number }: Pick<CardCustomer, 'userId' | 'number'>) => ({
  store: storeId,
  account: userId,
  number: String(number),
})

/**
 * Creates a Customer with the address, or with that of an earlier request whose response was lost. `hasAddress`: it has
 * this one. Undefined when its key was used with other parameters: by a former release, or before the database was
 * restored. Throws while it is unknown whether an earlier request created it.
 */
async function createCustomer(
  { db, trx, processor, storeId }: Deps,
  wanted: Account & { number: number },
): Promise<{ id: string; hasAddress: boolean } | undefined> {
  await requestCreation(db, wanted)
  const creation = await lockCreation(trx, wanted)
  if (!creation || isKeyExpired(creation.requestedAt, creation.now))
    throw new Error('the response to its creation was lost, the worker looks it up')
  try {
    const request = { email: creation.email, metadata: metadataOf(storeId, wanted) }
    const { id, isRepeated } = await processor.createCustomer(request, keyOf(wanted))
    await endCreation(trx, creation)
    return { id, hasAddress: !isRepeated && creation.email === wanted.email }
  } catch (error) {
    if (didNothing(error)) await endCreation(trx, creation)
    if (isKeyOfOther(error)) return undefined
    throw error
  }
}

/** Of a list that is read within a transaction. */
const PAGES_AT_MOST = 2
/** While a page or a hold needs the Customer. */
const NEEDED_S = 30
/** Of ten failures the last ones are ten minutes apart. */
const FAILURES_BEFORE_ALARM = 10
const LONGEST_PAUSE_S = 600
const pauseAfter = (failures: number) => ({ failures, seconds: Math.min(2 ** failures, LONGEST_PAUSE_S) })

type ForgetDeps = { longPool: Kysely<Database>; processor: Processor; log: Log }

/**
 * Looks up the Customer of a creation whose response was lost and that no later page repeated, and requests its
 * deletion; false when none is due. The list has all Customers of a day without an address, newest first: it is read
 * without a lock, and under the lock of the creation what is newer. Postponed while the account has another Customer,
 * and after a failure, which raises an alarm when it lasts. That is committed before the call: the next one follows
 * also a killed process.
 */
export async function findLostCustomer({ longPool, processor, storeId, log }: ForgetDeps & { storeId: string }) {
  const creation = await longPool.transaction().execute(async (trx) => {
    const due = await lockDueCreation(trx)
    if (due) await postponeCreation(trx, due, pauseAfter(due.failures + 1))
    return due
  })
  if (!creation) return false
  const { userId, number, email, requestedAt, dueAt } = creation
  const wanted = { email, metadata: metadataOf(storeId, creation) }
  try {
    const found = await processor.findCustomer(wanted, requestedAt)
    await longPool.transaction().execute(async (trx) => {
      if (!(await lockCreation(trx, creation))) return
      // A page may have repeated the request since the list was read: none does under this lock.
      const newer = { since: dueAt, pagesAtMost: PAGES_AT_MOST }
      const lost = found ?? (await processor.findCustomer(wanted, requestedAt, newer))
      if (lost === null || (await requestForgettingOfLost(trx, { userId, customerId: lost, number })) === lost)
        await endCreation(trx, creation)
      else await postponeCreation(trx, creation, { failures: 0, seconds: LONGEST_PAUSE_S })
    })
  } catch (error) {
    log.warn({ err: error, userId }, 'card customers: a lost response was not looked up, trying it again')
    if (creation.failures + 1 < FAILURES_BEFORE_ALARM) return true
    const detail = `Customer ${number} of account ${userId}, whose response was lost, is not found at the processor`
    await longPool
      .transaction()
      .execute((trx) => raiseAlarm(trx, log, { name: 'cards_not_forgotten', subject: userId, orderId: null, detail }))
  }
  return true
}

/**
 * Deletes the Customer whose deletion has been due longest, or that of an account; false when none is due. Postpones it
 * while a payment needs it, and after a failure, which raises an alarm when it lasts.
 */
export async function forgetDueCards({ longPool, processor, log }: ForgetDeps, userId?: string): Promise<boolean> {
  return longPool.transaction().execute(async (trx) => {
    const customer = await lockDueForgetting(trx, userId)
    if (!customer) return false
    if (customer.isNeeded) {
      await postponeForgetting(trx, customer.userId, { failures: 0, seconds: NEEDED_S })
      return true
    }
    try {
      await processor.deleteCustomer(customer.customerId!)
    } catch (error) {
      log.warn({ err: error, userId: customer.userId }, 'card customers: not deleted at the processor, trying it again')
      await postponeFailed(trx, log, { customer, error })
      return true
    }
    await saveForgotten(trx, customer)
    return true
  })
}

/** After a request to forget the cards of an account. The worker repeats what fails. */
export const forgetCardsNow = (deps: ForgetDeps, userId: string) =>
  forgetDueCards(deps, userId).catch((error) =>
    deps.log.warn({ err: error, userId }, 'card customers: not deleted by the request, the worker continues'),
  )

async function postponeFailed(
  trx: Transaction<Database>,
  log: Log,
  { customer: { userId, customerId, ...customer }, error }: { customer: CardCustomer; error: unknown },
) {
  const failures = customer.failures + 1
  await postponeForgetting(trx, userId, pauseAfter(failures))
  if (failures < FAILURES_BEFORE_ALARM) return
  await raiseAlarm(trx, log, {
    name: 'cards_not_forgotten',
    subject: customerId!,
    orderId: null,
    detail: `the Customer of account ${userId} is not deleted at the processor: ${errorCode(error)}`,
  })
}
