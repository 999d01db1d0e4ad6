import { randomUUID } from 'node:crypto'
import { accountChanged } from '@nifty/events/auth'
import { tokenMoved } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import { tokenOf } from '@nifty/events/shapes'
import type { Wallet } from 'ethers'
import type { Delivery } from '../deliveries/delivery.ts'
import type { TestMinting } from './minting.ts'

const flags = {
  mention: true,
  follow: true,
  shareActivity: true,
  message: true,
  salePromotion: true,
  companyNews: true,
  weeklyJobs: true,
  unsubscribeNews: false,
}

type AccountFields = {
  userId?: string
  username?: string
  admin?: boolean
  wallet?: string | null
  walletProven?: boolean
  suspended?: boolean
  version?: number
}

/** Stores an account by consuming `account-changed`. */
export async function givenAccount(minting: TestMinting, fields: AccountFields = {}) {
  const account = {
    userId: randomUUID(),
    version: 1,
    username: '@ada',
    firstName: 'Ada',
    lastName: 'Lace',
    email: 'ada@nifty.test',
    avatar: null,
    description: '',
    admin: false,
    suspended: false,
    wallet: null,
    walletProven: false,
    notifications: flags,
    at: new Date().toISOString(),
    ...fields,
  }
  await minting.consume(accountChanged, account)
  return account
}

/** An accepted mint, without an image file. */
export async function givenAcceptedMint(
  { db, chain }: TestMinting,
  changes: { creatorId?: string; wallet?: string | null; priceCents?: number | null } = {},
) {
  const id = randomUUID()
  const creatorId = changes.creatorId ?? randomUUID()
  await db
    .insertInto('mint')
    .values({
      id,
      creatorId,
      idempotencyKey: null,
      requestHash: id,
      name: 'Dusk',
      description: '',
      category: 'Art',
      priceCents: changes.priceCents ?? null,
      file: `${id}.webp`,
      width: 800,
      height: 600,
      color: '#112233',
      sha256: 'ab'.repeat(32),
      wallet: changes.wallet?.toLowerCase() ?? null,
      royaltyBps: 500,
      royaltyWallet: null,
      contract: chain.collection,
      transactionId: null,
      identifier: null,
      txHash: null,
      failure: null,
    })
    .execute()
  return { id, creatorId }
}

/** A minted work, in custody unless a wallet is given. */
export async function givenWork(minting: TestMinting, changes: { creatorId?: string; wallet?: string | null } = {}) {
  const { id, creatorId } = await givenAcceptedMint(minting, changes)
  const identifier = await minting.until(async () => {
    const mint = await minting.db.selectFrom('mint').select('identifier').where('id', '=', id).executeTakeFirst()
    return mint?.identifier
  })
  const token = tokenOf(minting.chain.collection, identifier)
  await minting.until(() => minting.published(tokenMoved).find((moved) => moved.token === token))
  return { itemId: id, creatorId, identifier, token }
}
export type Work = Awaited<ReturnType<typeof givenWork>>

type Recipient = { wallet: string; custody?: true }
type OrderFields = Recipient & { lineId?: string; sellerId?: string; buyerId?: string; deliverBy?: Date }

/** Recipient of an order into custody. */
export const custody: Recipient = { wallet: `0x${'0'.repeat(40)}`, custody: true }

export const orderOf = ({ itemId, token, creatorId }: Work, { wallet, custody, ...fields }: OrderFields) => ({
  orderId: randomUUID(),
  lineId: fields.lineId ?? randomUUID(),
  itemId,
  token,
  name: 'Dusk',
  wallet,
  ...(custody ? { custody } : {}),
  buyerId: fields.buyerId ?? randomUUID(),
  sellerId: fields.sellerId ?? creatorId,
  priceCents: 5000,
  at: new Date().toISOString(),
  deliverBy: (fields.deliverBy ?? new Date(Date.now() + 86_400_000)).toISOString(),
})

/** Consumes `order-line-authorised`: minting starts the delivery. */
export async function authorise(minting: TestMinting, work: Work, fields: OrderFields) {
  const line = orderOf(work, fields)
  await minting.consume(orderLineAuthorised, line)
  return line
}

export const deliveryOf = ({ db }: TestMinting, lineId: string): Promise<Delivery> =>
  db.selectFrom('delivery').selectAll().where('lineId', '=', lineId).executeTakeFirstOrThrow()

export const untilState = (minting: TestMinting, lineId: string, state: Delivery['state'], { mining = true } = {}) =>
  minting.until(async () => (await deliveryOf(minting, lineId)).state === state, { mining })

async function newestAttemptOf({ db }: TestMinting, lineId: string) {
  const attempts = db.selectFrom('attempt').innerJoin('delivery', 'delivery.transactionId', 'attempt.transactionId')
  const ofLine = attempts.select(['attempt.kind', 'attempt.hash']).where('delivery.lineId', '=', lineId)
  return ofLine.orderBy('attempt.number', 'desc').executeTakeFirstOrThrow()
}

/** Waits until the cancellation of a signed delivery is signed: its call is not sent any more. */
export const untilCancelSigned = (minting: TestMinting, lineId: string) =>
  minting.until(async () => (await newestAttemptOf(minting, lineId)).kind === 'cancel', { mining: false })

/** Waits until the node has the cancellation of a signed delivery in its pool. */
export async function untilCancelSent(minting: TestMinting, lineId: string) {
  const isSent = async () => {
    const { kind, hash } = await newestAttemptOf(minting, lineId)
    return kind === 'cancel' && (await minting.chain.provider.getTransaction(hash)) !== null
  }
  await minting.until(isSent, { mining: false })
}

/** Waits until the index has passed a block. Owners may be stored before, by what a delivery reads of the chain. */
export const untilIndexed = ({ db, until }: TestMinting, block: number) =>
  until(async () => (await db.selectFrom('chainCursor').select('block').executeTakeFirstOrThrow()).block >= block)

/** Signs the permit of a token in the seller's wallet, and submits it. */
export async function submitPermit(minting: TestMinting, { identifier }: Work, userId: string, wallet: Wallet) {
  const headers = minting.bearer(userId)
  const path = `/api/permits/${minting.chain.collection}/${identifier}`
  const response = await minting.app.inject({ url: path, headers })
  const { typedData, deadline } = response.json()
  const { Permit } = typedData.types
  const signature = await wallet.signTypedData(typedData.domain, { Permit }, typedData.message)
  return minting.app.inject({
    method: 'POST',
    url: '/api/permits',
    headers,
    payload: { contract: minting.chain.collection, identifier, deadline, signature },
  })
}
