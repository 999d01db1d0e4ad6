import { parseEmail } from '@nifty/api/email-address'
import { giftTextProblem, readGiftText } from '@nifty/api/gift-text'
import type { Gift as GiftView, OpenedGift } from '@nifty/api/minting/gifts'
import type { GiftForOperator } from '@nifty/api/minting/ops'
import { conflict, forbidden, invalid, notFound, tooManyToday } from '@nifty/service-kit/base/errors'
import type { Row } from '../db.ts'
import type { Delivery } from '../deliveries/delivery.ts'
import { imagePath } from '../images/image.ts'
import type { Token } from '../tokens/token.store.ts'

export type Gift = Row<'gift'>

/** What a delivery of a gift can be; null before a claim. */
type ClaimState = Delivery['state'] | null

/** With what is read beside it: the state and transaction of its claim, and the image of the work. */
export type GiftWithClaim = Gift & {
  claim: ClaimState
  txHash: string | null
  file: string | null
  giver: string | null
}

/** Whether a claim has, or may have, the work. A claim that failed leaves the gift as it was. */
export const isBeingClaimed = (claim: ClaimState) => claim === 'waiting' || claim === 'signed'

/** It has not ended, and no claim has, or may have, the work. */
export const isOpen = ({ state, claim }: Pick<GiftWithClaim, 'state' | 'claim'>) =>
  (state === 'bought' || state === 'offered') && !isBeingClaimed(claim) && claim !== 'final'

type Standing = Pick<GiftWithClaim, 'state' | 'claim' | 'takeBack' | 'refunded'>

/** As its people see it: an offered gift that was claimed is `claiming` until a final block has the change. */
export function stateOf({ state, claim, takeBack, refunded }: Standing): GiftView['state'] {
  if (state !== 'offered') return state
  if (claim === 'final') return 'claimed'
  if (isBeingClaimed(claim)) return 'claiming'
  if (takeBack) return 'taken_back'
  return refunded ? 'refunded' : 'offered'
}

/** Path of the image of a work; null where its mint was lost. */
export const imageOf = (file: string | null | undefined) => (file ? imagePath(file) : null)

const workOf = ({ token, name, file, text, until, ...gift }: GiftWithClaim, contract: string) => ({
  contract,
  identifier: token.split('/')[1]!,
  name,
  image: imageOf(file),
  state: stateOf(gift),
  text,
  until: until?.toISOString() ?? null,
})

/** As the giver or the recipient sees it. Throws 404 for anybody else. */
export function viewGift(gift: GiftWithClaim, { userId, contract }: { userId: string; contract: string }): GiftView {
  const isGiver = gift.giverId === userId
  if (!isGiver && gift.recipientId !== userId) throw giftNotFound()
  return {
    _id: gift.id,
    role: isGiver ? 'giver' : 'recipient',
    ...workOf(gift, contract),
    orderId: isGiver ? gift.orderId : null,
    email: isGiver ? gift.email : null,
    waitsFor: isGiver && gift.state === 'bought' ? gift.waitsFor : null,
    txHash: gift.txHash,
    createdAt: gift.createdAt.toISOString(),
  }
}

export const viewOpened = (gift: GiftWithClaim, contract: string): OpenedGift => ({
  ...workOf(gift, contract),
  giver: gift.giver,
})

export const viewForOperator = (gift: GiftWithClaim): GiftForOperator => {
  const { id, token, name, giverId, recipientId, orderId, email, until, deliveryId, txHash, createdAt } = gift
  return {
    _id: id,
    state: stateOf(gift),
    token,
    name,
    giverId,
    recipientId,
    orderId,
    email,
    until: until?.toISOString() ?? null,
    deliveryId,
    txHash,
    createdAt: createdAt.toISOString(),
  }
}

const wrongField = (path: 'email' | 'text', msg: string) => invalid('invalid_gift', msg, { errors: [{ path, msg }] })

/** Throws 400 `invalid_gift`, with the field. */
export function readAddress(sent: string): string {
  const email = parseEmail(sent)
  if (email === null) throw wrongField('email', 'Please enter a valid e-mail address')
  return email
}

/** Throws 400 `invalid_gift`, with the field. */
export function readText(sent: string | undefined): string {
  const problem = giftTextProblem(sent ?? '')
  if (problem) throw wrongField('text', problem)
  return readGiftText(sent ?? '')
}

export const giftNotFound = () => notFound('gift_not_found', 'There is no such gift')

/** The same for the limit of the giver and for that of the address. */
export const tooManyGifts = () =>
  tooManyToday('too_many_gifts', 'Too many gifts were sent today. Please try again tomorrow.')

/** Only a work that the store keeps, that is not for sale and whose payment no bank contests. */
export function assertMayGive(
  { ownerId, custodyAccount }: Token,
  { userId, listed, contested }: { userId: string; listed: boolean; contested: boolean },
) {
  if (ownerId !== userId) throw forbidden('not_owner', 'Forbidden')
  if (!custodyAccount) throw conflict('not_in_custody', 'Only a work that the store keeps for you can be given here')
  if (contested) throw workContested()
  if (listed) throw conflict('listed', 'Please remove the NFT from sale first')
}

export const workContested = () =>
  conflict('work_contested', 'The payment for this work is being examined. Until that is decided it stays as it is.')

/** Throws unless the giver may still change it. */
export function assertOpen(gift: Standing) {
  const state = stateOf(gift)
  if (state === 'bought' || state === 'offered') return
  if (state === 'claimed' || state === 'claiming') throw conflict('gift_claimed', 'This gift has been accepted')
  throw conflict('gift_over', 'This gift has ended')
}

export const workOnItsWay = () =>
  conflict('being_delivered', 'This work is on its way at the moment, please try again in a minute')

/** The same whatever the reason: a recipient does not learn that a payment is contested or an account suspended. */
export const notClaimableNow = () =>
  conflict('being_delivered', 'This gift cannot be accepted at the moment, please try again later')

/**
 * Throws 409 `being_delivered` when an offered work is not known to be the giver's: a restored database may have lost
 * the claim, and the owner with it. A work that is bought comes to its giver later.
 */
export function assertIsGivers({ state, giverId }: Pick<Gift, 'state' | 'giverId'>, held: Token | undefined) {
  if (state === 'offered' && held?.ownerId !== giverId) throw workOnItsWay()
}

const overSentences = {
  claimed: ['gift_claimed', 'This gift has been accepted already'],
  claiming: ['gift_claimed', 'This gift has been accepted already'],
  taken_back: ['gift_taken_back', 'The giver has taken this gift back'],
  refunded: ['gift_refunded', 'The payment for this gift was refunded, so it stays with its giver'],
  lapsed: ['gift_lapsed', 'This gift was not accepted within 90 days, and stays with its giver'],
  ended: ['gift_over', 'This gift has ended'],
} as const

export const giftReaddressed = () =>
  notFound('gift_readdressed', 'This link is no longer valid: the giver has sent a new one')

/** Throws 404 with what happened, unless the link of an offered gift can be used. */
export function assertClaimable(gift: Standing & Pick<Gift, 'until'>, now: Date) {
  const state = stateOf(gift)
  const isLapsed = gift.until !== null && gift.until <= now
  if (state === 'offered' && !isLapsed) return
  // Nothing of a gift is mailed before it is offered.
  if (state === 'bought') throw giftNotFound()
  const [code, message] = overSentences[state === 'offered' ? 'lapsed' : state]
  throw notFound(code, message)
}
