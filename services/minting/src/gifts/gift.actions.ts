import { randomUUID } from 'node:crypto'
import type { Withdrawer } from '@nifty/api/auth/internal'
import { GIFT_DAYS } from '@nifty/api/gift-text'
import { keyOf } from '@nifty/contracts/keys'
import { giftClaimed, giftClaimFailed, giftEnded, giftOffered } from '@nifty/events/minting'
import type { orderLineAuthorised, orderLineRefunded } from '@nifty/events/payments'
import { conflict } from '@nifty/service-kit/base/errors'
import type { Log } from '@nifty/service-kit/base/logs'
import { type Keys, randomToken, seal, sha256 } from '@nifty/service-kit/base/secrets'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Static } from 'typebox'
import { lockAccount, lockAccountShared, lockAccountsShared } from '../accounts/account.store.ts'
import { isUnexpected } from '../chain-index/unexpected-delivery.actions.ts'
import type { Database } from '../db.ts'
import { findDelivery, findOpenDelivery } from '../deliveries/delivery.store.ts'
import { isStopped } from '../deliveries/delivery.ts'
import { isContested } from '../tokens/contested-line.store.ts'
import { giftWaits, isGiftOpen } from '../tokens/open-gift.store.ts'
import { findWork, lockToken } from '../tokens/token.store.ts'
import { assertNotSuspended, findRunningHold, type WithdrawalRules } from '../withdrawals/withdrawal.actions.ts'
import { isListed } from '../withdrawals/withdrawal.store.ts'
import { assertHoldOver, assertNoWait, suspended } from '../withdrawals/withdrawal.ts'
import {
  addClaim,
  addGift,
  addGiftLink,
  type DueGift,
  dueGifts,
  findGift,
  findGiftLink,
  findGiftOfLine,
  lockGift,
  openGiftsOf,
  postponeGift,
  updateGift,
} from './gift.store.ts'
import {
  assertClaimable,
  assertIsGivers,
  assertMayGive,
  assertOpen,
  type Gift,
  type GiftWithClaim,
  giftNotFound,
  giftReaddressed,
  imageOf,
  isBeingClaimed,
  isOpen,
  notClaimableNow,
  stateOf,
  tooManyGifts,
} from './gift.ts'
import { claimIdOf, giftIdOf } from './gift-ids.ts'
import { mayMailFirstLink, mayMailLink, recipientOf } from './link-limit.ts'

type Trx = Transaction<Database>

/** When a paid gift is handled again whose link waits. */
const WAITING_CHECK_MS = 600_000
/** When a gift is handled again whose handling failed. */
const RETRY_IN_MS = 10_000

const databaseNow = async (db: Kysely<Database>) =>
  (await sql<{ now: Date }>`select now() as now`.execute(db)).rows[0]!.now

const endOf = (now: Date) => new Date(now.getTime() + GIFT_DAYS * 86_400_000)

/** Makes the next link of a gift and requests its mail. The former link is dead. */
async function mailLink(
  trx: Trx,
  gift: Pick<Gift, 'id' | 'giverId' | 'token' | 'name' | 'orderId' | 'text'>,
  keys: Keys,
  { email, until, now }: { email: string; until: Date; now: Date },
) {
  const token = randomToken()
  const number = await addGiftLink(trx, { giftId: gift.id, tokenHash: sha256(token), recipient: recipientOf(email) })
  await publishEvent(trx, giftOffered, {
    giftId: gift.id,
    giverId: gift.giverId,
    token: gift.token,
    name: gift.name,
    image: imageOf((await findWork(trx, gift.token))?.file),
    number,
    email,
    text: gift.text,
    link: seal(token, keys),
    until: until.toISOString(),
    orderId: gift.orderId,
    at: now.toISOString(),
  })
}

type BoughtLine = Pick<Static<typeof orderLineAuthorised.data>, 'buyerId' | 'token' | 'name' | 'lineId' | 'orderId'>

/**
 * A line was bought as a gift, whose mail waits until the line is paid. Idempotent. Nothing happens for a line that was
 * released before: there is nothing to give.
 */
export async function addBoughtGift(trx: Trx, line: BoughtLine, to: { email: string; text: string } | undefined) {
  const { buyerId: giverId, token, name, lineId, orderId } = line
  if (to === undefined) return
  const delivery = await findDelivery(trx, lineId)
  if (delivery && isStopped(delivery.state)) return
  await addGift(trx, {
    id: giftIdOf(lineId),
    giverId,
    token,
    name,
    lineId,
    orderId,
    ...to,
    state: 'bought',
    until: null,
  })
}

/**
 * The card was charged for the line, or its hold lapsed after the delivery: mails the link, once. What an account
 * bought that is suspended, frozen by its owner or deleted stays its own: the purchase may be authorised after that.
 */
async function offerBoughtGift(trx: Trx, { id, giverId }: DueGift, keys: Keys) {
  await lockAccountShared(trx, giverId)
  const gift = (await lockGift(trx, id))!
  if (gift.state !== 'bought') return
  const { now, isGivers, isBlocked } = await readGiver(trx, gift)
  if (isBlocked) return endGift(trx, gift, 'taken_back')
  if (!isGivers) return endGift(trx, gift, 'ended')
  const waitsFor = await reasonToWait(trx, gift)
  if (waitsFor) return updateGift(trx, id, { waitsFor, offerFrom: new Date(now.getTime() + WAITING_CHECK_MS) })
  const until = endOf(now)
  await updateGift(trx, id, { state: 'offered', offeredAt: now, until, waitsFor: null })
  await mailLink(trx, gift, keys, { email: gift.email!, until, now })
}

/** Why the link of a paid gift is not mailed yet; null when it may be. */
async function reasonToWait(trx: Trx, { token, giverId, email }: Gift): Promise<Gift['waitsFor']> {
  if (await isContested(trx, { token, userId: giverId })) return 'contest'
  return (await mayMailFirstLink(trx, email!)) ? null : 'mail_limit'
}

/**
 * A sale of the work is paid, whose listing began before minting had the gift. The gift ends, unless its claim may
 * still have the work: a claim that the sale replaces has failed by now, but a sale to a refused recipient replaces
 * none.
 */
export async function endSoldGift(trx: Trx, { token, sellerId }: Static<typeof orderLineAuthorised.data>) {
  for (const id of await openGiftsOf(trx, { giverId: sellerId, token })) {
    const gift = (await lockGift(trx, id))!
    if (gift.state === 'offered' && isOpen(gift)) await endGift(trx, gift, 'ended')
  }
}

/** The line was released: there is nothing to give. */
export async function endBoughtGift(trx: Trx, lineId: string) {
  const found = await findGiftOfLine(trx, lineId)
  const gift = found && (await lockGift(trx, found.id))
  if (gift?.state === 'bought') await updateGift(trx, gift.id, { state: 'ended' })
}

/** All of the line's price was refunded: its giver keeps the work, as the buyers of other refunded lines do. */
export async function endRefundedGift(trx: Trx, { lineId, whole }: Static<typeof orderLineRefunded.data>) {
  const found = whole ? await findGiftOfLine(trx, lineId) : undefined
  if (!found) return
  const gift = (await lockGift(trx, found.id))!
  if (isBeingClaimed(gift.claim)) await updateGift(trx, gift.id, { refunded: true })
  else if (isOpen(gift)) await endGift(trx, gift, 'refunded')
}

type Given = { token: string; userId: string; email: string; text: string; withdrawer: Withdrawer }
type GiftRules = Pick<WithdrawalRules, 'custodyHoldHours'> & { mailTokenKeys: Keys }

/** Gives an owned work away. Guarded as a withdrawal: the link alone takes the work. Locks account and token. */
export async function giveToken(trx: Trx, { token, userId, email, text, withdrawer }: Given, rules: GiftRules) {
  await lockAccount(trx, userId)
  await assertNotSuspended(trx, userId)
  const held = (await lockToken(trx, token))!
  const contested = await isContested(trx, { token, userId })
  assertMayGive(held, { userId, listed: await isListed(trx, token), contested })
  if (await isGiftOpen(trx, { token, userId })) throw giftWaits()
  assertNoWait(withdrawer)
  assertHoldOver(await findRunningHold(trx, token, rules), rules.custodyHoldHours)
  if (await findOpenDelivery(trx, token)) throw conflict('being_delivered', 'This NFT is on its way')
  if (!(await mayMailLink(trx, { giverId: userId, email }))) throw tooManyGifts()
  const now = await databaseNow(trx)
  const until = endOf(now)
  const name = (await findWork(trx, token))?.name ?? 'A work'
  const gift = { giverId: userId, token, name, lineId: null, orderId: null, email, text }
  const id = randomUUID()
  await addGift(trx, { id, ...gift, state: 'offered', until })
  await mailLink(trx, { id, ...gift }, rules.mailTokenKeys, { email, until, now })
  return (await findGift(trx, id))!
}

/** Locks the token and a gift of this giver. Throws 404 for any other. */
async function lockOwnGift(trx: Trx, { id, userId }: { id: string; userId: string }) {
  const found = await findGift(trx, id)
  if (found?.giverId !== userId) throw giftNotFound()
  const held = await lockToken(trx, found.token)
  return { held, gift: (await lockGift(trx, id))! }
}

/** Idempotent. Throws 409 `gift_claimed`, `gift_over`, `being_delivered`. */
export async function takeBack(trx: Trx, { id, userId }: { id: string; userId: string }) {
  const { held, gift } = await lockOwnGift(trx, { id, userId })
  if (stateOf(gift) !== 'taken_back') {
    assertOpen(gift)
    assertIsGivers(gift, held)
    await endGift(trx, gift, 'taken_back')
  }
  return (await findGift(trx, id))!
}

type NewAddress = { id: string; userId: string; email: string; withdrawer: Withdrawer }

/** Mails a new link to another address; of a gift that is not charged yet it is the address of the first one. */
export async function readdress(trx: Trx, { id, userId, email, withdrawer }: NewAddress, keys: Keys) {
  await lockAccount(trx, userId)
  await assertNotSuspended(trx, userId)
  const { held, gift } = await lockOwnGift(trx, { id, userId })
  assertOpen(gift)
  assertIsGivers(gift, held)
  assertNoWait(withdrawer)
  if (gift.state === 'bought') {
    if (!(await mayMailFirstLink(trx, email))) throw tooManyGifts()
    await updateGift(trx, id, { email })
  } else {
    if (!(await mayMailLink(trx, { giverId: userId, email }))) throw tooManyGifts()
    const now = await databaseNow(trx)
    const until = endOf(now)
    await updateGift(trx, id, { email, until })
    await mailLink(trx, gift, keys, { email, until, now })
  }
  return (await findGift(trx, id))!
}

/** The gift of a mailed link. Throws 404 with what happened to it unless it can be claimed. */
export async function openGift(db: Kysely<Database>, token: string): Promise<GiftWithClaim> {
  const link = await findGiftLink(db, sha256(token))
  if (!link) throw giftNotFound()
  const gift = (await findGift(db, link.giftId))!
  assertClaimable(gift, await databaseNow(db))
  if (!link.isNewest) throw giftReaddressed()
  return gift
}

/**
 * Claims a gift for an account: queues the change of the beneficiary. Idempotent for that account. Throws 404 as
 * `openGift`, 409 `own_gift`, `being_delivered`. Locks the accounts, the token, the gift.
 *
 * The id of a claim on the chain follows from the gift and the recipient: a database that was restored from before the
 * claim finds it there when this recipient claims again, as it does the lines of orders.
 */
export async function claim(trx: Trx, { token: secret, userId }: { token: string; userId: string }) {
  const link = await findGiftLink(trx, sha256(secret))
  if (!link) throw giftNotFound()
  const accounts = await lockAccountsShared(trx, [userId, link.giverId])
  const isSuspended = (id: string) => accounts.some((account) => account.userId === id && account.suspended)
  if (isSuspended(userId)) throw suspended()
  const held = await lockToken(trx, link.token)
  const gift = (await lockGift(trx, link.giftId))!
  const { id, giverId, token } = gift
  const state = stateOf(gift)
  if (gift.recipientId === userId && (state === 'claiming' || state === 'claimed')) return gift
  assertClaimable(gift, await databaseNow(trx))
  // Read again: the giver may have corrected the address since.
  if (!(await findGiftLink(trx, sha256(secret)))!.isNewest) throw giftReaddressed()
  if (giverId === userId) throw conflict('own_gift', 'This is your own gift. You can take it back instead.')
  // A gift that is open although its giver is suspended is about to be taken back.
  if (isSuspended(giverId) || (await isContested(trx, { token, userId: giverId }))) throw notClaimableNow()
  const lineId = await nextClaimId(trx, { giftId: id, recipientId: userId })
  // After a restore the owner is unknown who had claimed the gift, and the index has met the claim.
  const mayClaim = held?.ownerId === giverId || (held?.ownerId === null && (await isUnexpected(trx, keyOf(lineId))))
  if (!held?.custodyAccount || !mayClaim || (await findOpenDelivery(trx, token))) throw notClaimableNow()

  await endFailedClaim(trx, gift)
  await addClaim(trx, { lineId, token, giverId, recipientId: userId })
  await updateGift(trx, id, { deliveryId: lineId, recipientId: userId })
  const claimed = { claimId: lineId, giftId: id, recipientId: userId, token, name: gift.name }
  const at = (await databaseNow(trx)).toISOString()
  await publishEvent(trx, giftClaimed, { ...claimed, position: held.publishedPosition, at })
  return (await findGift(trx, id))!
}

async function nextClaimId(trx: Trx, claim: { giftId: string; recipientId: string }) {
  for (let number = 0; ; number++) {
    const lineId = claimIdOf({ ...claim, number })
    if (!(await findDelivery(trx, lineId))) return lineId
  }
}

/** The last claim, if there was one, did not get the work: the gift has no recipient. */
async function endFailedClaim(trx: Trx, { id, deliveryId, recipientId, token, name }: GiftWithClaim) {
  if (deliveryId === null) return
  await updateGift(trx, id, { deliveryId: null, recipientId: null })
  const failed = { claimId: deliveryId, giftId: id, recipientId: recipientId!, token, name }
  await publishEvent(trx, giftClaimFailed, { ...failed, at: (await databaseNow(trx)).toISOString() })
}

type Ending = 'claimed' | 'taken_back' | 'refunded' | 'lapsed' | 'ended'

async function endGift(trx: Trx, gift: GiftWithClaim, ending: Ending) {
  if (ending !== 'claimed') await endFailedClaim(trx, gift)
  const { id, giverId, token, name, orderId, recipientId } = gift
  await updateGift(trx, id, { state: ending })
  // Of one that was not mailed no event was published.
  if (gift.state === 'bought') return
  // A refund has a mail of its own.
  const why = ending === 'refunded' ? 'ended' : ending
  const at = (await databaseNow(trx)).toISOString()
  const recipient = why === 'claimed' ? recipientId : null
  await publishEvent(trx, giftEnded, { giftId: id, giverId, token, name, why, recipientId: recipient, orderId, at })
}

/**
 * Takes back what an account gives that is suspended, frozen by its owner or deleted: it may have been a thief's act.
 * What is being claimed is stopped as withdrawals are, and taken back once that has an outcome.
 */
export async function takeBackGiftsOf(trx: Trx, giverId: string) {
  for (const id of await openGiftsOf(trx, { giverId })) {
    const gift = (await lockGift(trx, id))!
    if (isBeingClaimed(gift.claim)) await updateGift(trx, id, { takeBack: true })
    else if (isOpen(gift)) await endGift(trx, gift, 'taken_back')
  }
}

const HANDLED_AT_ONCE = 50

type Handling = { db: Kysely<Database>; log: Log; mailTokenKeys: Keys }

/**
 * Mails the links of gifts that are paid, and ends those that were claimed or not claimed in time. An error with one
 * gift delays that gift only.
 */
export async function handleGifts({ db, log, mailTokenKeys }: Handling): Promise<boolean> {
  const due = await dueGifts(db, HANDLED_AT_ONCE)
  for (const gift of due)
    try {
      await db
        .transaction()
        .execute((trx) =>
          gift.state === 'bought' ? offerBoughtGift(trx, gift, mailTokenKeys) : finalize(trx, gift.id),
        )
    } catch (error) {
      log.warn({ err: error, giftId: gift.id }, 'gifts: handling of a gift failed, retrying in 10 s')
      await postponeGift(db, gift.id, RETRY_IN_MS)
    }
  return due.length >= HANDLED_AT_ONCE
}

async function finalize(trx: Trx, id: string) {
  const gift = (await lockGift(trx, id))!
  if (gift.state !== 'offered' || isBeingClaimed(gift.claim)) return
  if (gift.claim === 'final') return endGift(trx, gift, 'claimed')
  const { now, isGivers, isBlocked } = await readGiver(trx, gift)
  if (gift.takeBack || isBlocked) await endGift(trx, gift, 'taken_back')
  else if (gift.refunded) await endGift(trx, gift, 'refunded')
  // A sale that is under way was paid while the claim was signed.
  else if (!isGivers || (await findOpenDelivery(trx, gift.token))) await endGift(trx, gift, 'ended')
  else if (gift.until! <= now) await endGift(trx, gift, 'lapsed')
  else await endFailedClaim(trx, gift)
}

/** `isGivers`: also where the owner is unknown. `isBlocked`: the giver is suspended or deleted. */
async function readGiver(trx: Trx, { id }: Pick<Gift, 'id'>) {
  const { rows } = await sql<{ now: Date; isGivers: boolean; isBlocked: boolean }>`
    select now() as now, coalesce(token.owner_id = giver_id, true) as is_givers,
      coalesce(account.suspended, false) as is_blocked
    from gift left join token on token.token = gift.token left join account on account.user_id = giver_id
    where gift.id = ${id}`.execute(trx)
  return rows[0]!
}
