import { randomUUID } from 'node:crypto'
import { accountChanged } from '@nifty/events/auth'
import { tokenMoved } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import { tokenOf } from '@nifty/events/shapes'
import type { Wallet } from 'ethers'
import type { Delivery } from '../deliveries/delivery.ts'
import type { TestMinting } from '../testing.ts'

const flags = {
  ...{ mention: true, follow: true, shareActivity: true, message: true },
  ...{ salePromotion: true, companyNews: true, weeklyJobs: true, unsubscribeNews: false },
}

type AccountFacts = {
  userId?: string
  admin?: boolean
  wallet?: string | null
  walletProven?: boolean
  version?: number
}

/** Somebody signs up or changes: minting hears of it from auth. */
export async function givenAccount(minting: TestMinting, facts: AccountFacts = {}) {
  const account = {
    ...{
      userId: randomUUID(),
      version: 1,
      username: '@ada',
      firstName: 'Ada',
      lastName: 'Lace',
      email: 'ada@nifty.test',
    },
    ...{ avatar: null, description: '', admin: false, suspended: false, wallet: null, walletProven: false },
    ...{ notifications: flags, at: new Date().toISOString() },
    ...facts,
  }
  await minting.hear(accountChanged, account)
  return account
}

/** A work that waits to be minted, its picture apart. */
export async function givenAcceptedMint(
  { db, chain }: TestMinting,
  changes: { creatorId?: string; wallet?: string | null; priceCents?: number | null } = {},
) {
  const id = randomUUID()
  const creatorId = changes.creatorId ?? randomUUID()
  await db
    .insertInto('mint')
    .values({
      ...{ id, creatorId, idempotencyKey: null, requestHash: id, name: 'Dusk', description: '', category: 'Art' },
      ...{ priceCents: changes.priceCents ?? null, file: `${id}.webp`, width: 800, height: 600, color: '#112233' },
      ...{
        sha256: 'ab'.repeat(32),
        wallet: changes.wallet?.toLowerCase() ?? null,
        royaltyBps: 500,
        royaltyWallet: null,
      },
      ...{ contract: chain.collection, transactionId: null, identifier: null, txHash: null, failure: null },
    })
    .execute()
  return { id, creatorId }
}

/** A work that is final on the chain, in custody unless a wallet is given. */
export async function givenWork(minting: TestMinting, changes: { creatorId?: string; wallet?: string | null } = {}) {
  const { id, creatorId } = await givenAcceptedMint(minting, changes)
  const identifier = await minting.until(async () => {
    const mint = await minting.db.selectFrom('mint').select('identifier').where('id', '=', id).executeTakeFirst()
    return mint?.identifier
  })
  const token = tokenOf(minting.chain.collection, identifier)
  await minting.until(() => minting.said(tokenMoved).find((moved) => moved.token === token))
  return { itemId: id, creatorId, identifier, token }
}
export type Work = Awaited<ReturnType<typeof givenWork>>

type OrderFacts = { wallet: string; lineId?: string; sellerId?: string; deliverBy?: Date }

export const orderOf = ({ itemId, token, creatorId }: Work, { wallet, ...facts }: OrderFacts) => ({
  ...{ orderId: randomUUID(), lineId: facts.lineId ?? randomUUID(), itemId, token, name: 'Dusk', wallet },
  ...{ buyerId: randomUUID(), sellerId: facts.sellerId ?? creatorId, priceCents: 5000 },
  at: new Date().toISOString(),
  deliverBy: (facts.deliverBy ?? new Date(Date.now() + 86_400_000)).toISOString(),
})

/** The buyer's card is held: minting is to deliver. */
export async function authorise(minting: TestMinting, work: Work, facts: OrderFacts) {
  const line = orderOf(work, facts)
  await minting.hear(orderLineAuthorised, line)
  return line
}

export const deliveryOf = ({ db }: TestMinting, lineId: string): Promise<Delivery> =>
  db.selectFrom('delivery').selectAll().where('lineId', '=', lineId).executeTakeFirstOrThrow()

export const untilState = (minting: TestMinting, lineId: string, state: Delivery['state'], { mining = true } = {}) =>
  minting.until(async () => (await deliveryOf(minting, lineId)).state === state, { mining })

/** The seller lets the store take a token out of their wallet. */
export async function givePermit(minting: TestMinting, { identifier }: Work, userId: string, wallet: Wallet) {
  const headers = minting.auth.bearer(userId)
  const path = `/api/permits/${minting.chain.collection}/${identifier}`
  const asked = await minting.app.inject({ url: path, headers })
  const { typedData, deadline } = asked.json()
  const { Permit } = typedData.types
  const signature = await wallet.signTypedData(typedData.domain, { Permit }, typedData.message)
  return minting.app.inject({
    method: 'POST',
    url: '/api/permits',
    headers,
    payload: { contract: minting.chain.collection, identifier, deadline, signature },
  })
}
