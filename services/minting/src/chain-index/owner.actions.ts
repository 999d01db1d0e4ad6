import { checkedAddress } from '@nifty/contracts/address'
import { keyOf, uuidOf } from '@nifty/contracts/keys'
import type { Contracts } from '@nifty/contracts/log'
import type { accountDeleted } from '@nifty/events/auth'
import { tokenMoved } from '@nifty/events/minting'
import { tokenOf } from '@nifty/events/shapes'
import { inSpan } from '@nifty/service-kit/base/trace'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import { type AccountChange, deleteAccount, saveAccount } from '../accounts/account.actions.ts'
import {
  accountOfWallet,
  custodyAccountOf,
  findAccount,
  restoreCustodyAccount,
  userOfCustodyAccount,
} from '../accounts/account.store.ts'
import type { Transfer } from '../chain/transfers.ts'
import type { Database } from '../db.ts'
import { lockDelivery, updateDelivery } from '../deliveries/delivery.store.ts'
import type { KnownDelivery } from '../deliveries/delivery.ts'
import { findMint } from '../mints/mint.store.ts'
import { removePermit, removePermitsOfOtherWallets } from '../permits/permit.store.ts'
import {
  findWalletsOfOwner,
  lockToken,
  lockTokensIn,
  lockTokensInCustody,
  type Token,
  updateToken,
} from '../tokens/token.store.ts'
import { lockCursor } from './cursor.store.ts'

/** Applies a transfer of a final block. Idempotent: a position at or before the stored one changes nothing. */
export async function transferToken(trx: Transaction<Database>, transfer: Transfer, contracts: Contracts) {
  const token = await lockToken(trx, tokenOf(contracts.collection, String(transfer.id)))
  if (!token || transfer.position <= token.position) return

  const delivery = await deliveryOf(trx, transfer)
  const minterId = delivery ? null : await minterOf(trx, token)
  const inCustody = transfer.to === contracts.delivery
  const custodyAccount = inCustody && transfer.account ? (uuidOf(transfer.account) ?? null) : null
  // A restored database may lack the account that this mint was the first of.
  if (custodyAccount && minterId) await restoreCustodyAccount(trx, { userId: minterId, account: custodyAccount })
  const moved: Token = {
    ...token,
    wallet: inCustody ? null : transfer.to.toLowerCase(),
    custodyAccount,
    deliveredTo: delivery ? delivery.buyerId : minterId,
    position: transfer.position,
    publishedPosition: transfer.position,
    txHash: transfer.txHash,
    movedAt: transfer.at,
  }
  moved.ownerId = await ownerOf(trx, moved)
  await updateToken(trx, token.token, moved)
  // Every transfer invalidates the token's permit.
  await removePermit(trx, token.token)
  await inSpan({ name: 'token moved', remoteParent: delivery?.traceparent }, () => publishMove(trx, moved))
}

/**
 * Makes the buyer of a line the recipient of its transfer, when the index passed the transfer before it had the line.
 */
export async function attributeToken(
  trx: Transaction<Database>,
  { token: name, buyerId }: { token: string; buyerId: string },
  txHash: string,
) {
  const token = await lockToken(trx, name)
  if (!token || token.txHash !== txHash || token.deliveredTo !== null) return
  const attributed = { ...token, deliveredTo: buyerId }
  attributed.ownerId = await ownerOf(trx, attributed)
  attributed.publishedPosition += attributed.ownerId === token.ownerId ? 0 : 1
  await updateToken(trx, name, attributed)
  if (attributed.ownerId !== token.ownerId) await publishMove(trx, attributed)
}

/**
 * Stores the custody account (a key) of a user after a restore, and publishes the owners of its tokens. Without effect
 * when the key is null, or when the user or the account is stored with another one.
 */
export async function recoverCustody(
  trx: Transaction<Database>,
  { userId, key }: { userId: string; key: string | null },
  collection: string,
) {
  const account = key && uuidOf(key)
  if (!account) return
  await lockCursor(trx, collection)
  if (await restoreCustodyAccount(trx, { userId, account }))
    await publishOwners(trx, await lockTokensInCustody(trx, account))
}

/** The line with the account (a key) into which the chain delivered it, if this database had none for its buyer. */
export async function recoverCustodyOf(
  trx: Transaction<Database>,
  delivery: KnownDelivery,
  { key, collection }: { key: string | null; collection: string },
): Promise<KnownDelivery> {
  const { lineId, buyerId, state, wallet } = delivery
  if (state !== 'waiting' || wallet || delivery.custodyAccount) return delivery
  await recoverCustody(trx, { userId: buyerId, key }, collection)
  const custodyAccount = (await custodyAccountOf(trx, buyerId)) ?? null
  await updateDelivery(trx, lineId, { custodyAccount })
  return { ...delivery, custodyAccount }
}

/** Whether the chain delivered this line: its token, to its wallet or into custody for its account (a key). */
export function isDeliveredTo(
  { token, wallet, custodyAccount }: KnownDelivery,
  delivered: { token: string; recipient: string; account: string | null },
): boolean {
  if (token !== delivered.token) return false
  return custodyAccount ? keyOf(custodyAccount) === delivered.account : wallet === delivered.recipient.toLowerCase()
}

/** Stores an account change of auth. The cursor's lock keeps the index from reading owners in between. */
export async function applyAccountChange(trx: Transaction<Database>, change: AccountChange, collection: string) {
  await lockCursor(trx, collection)
  const saved = await saveAccount(trx, change)
  if (!saved) return
  const { before, after } = saved
  if (before && before.wallet !== after.wallet) await removePermitsOfOtherWallets(trx, after.userId, after.wallet)
  const proven = [before, after].map((account) => (account?.walletProven ? account.wallet : null))
  await publishOwnersIn(
    trx,
    proven.filter((wallet) => wallet !== null),
  )
}

/**
 * Works in custody keep their owner until they are withdrawn; tokens in a wallet have no owner in the store any more.
 */
export async function applyAccountDeletion(
  trx: Transaction<Database>,
  { userId, handBack }: Static<typeof accountDeleted.data>,
  collection: string,
) {
  await lockCursor(trx, collection)
  const linked = await deleteAccount(trx, { userId, handBackHash: handBack?.codeHash ?? null })
  await removePermitsOfOtherWallets(trx, userId, null)
  const held = await findWalletsOfOwner(trx, userId)
  await publishOwnersIn(trx, [...new Set([...held, ...linked])])
}

/** Determines the owners of the tokens in these wallets (lower case) again. */
async function publishOwnersIn(trx: Transaction<Database>, wallets: string[]) {
  if (wallets.length > 0) await publishOwners(trx, await lockTokensIn(trx, wallets))
}

async function publishOwners(trx: Transaction<Database>, tokens: Token[]) {
  for (const token of tokens) {
    const ownerId = await ownerOf(trx, token)
    if (ownerId === token.ownerId) continue
    // Above the last published position, and below every position of a later block.
    const changed = { ...token, ownerId, publishedPosition: token.publishedPosition + 1 }
    await updateToken(trx, token.token, changed)
    await publishMove(trx, changed)
  }
}

/** The beneficiary in custody, else the account that proved the wallet, else the buyer or creator who received it. */
async function ownerOf(trx: Transaction<Database>, token: Token): Promise<string | null> {
  if (token.custodyAccount) return userOfCustodyAccount(trx, token.custodyAccount)
  if (!token.wallet) return null
  const proven = await accountOfWallet(trx, token.wallet)
  if (proven || !token.deliveredTo) return proven
  const recipient = await findAccount(trx, token.deliveredTo)
  return recipient?.deletedAt ? null : token.deliveredTo
}

async function deliveryOf(trx: Transaction<Database>, { lineId }: Transfer) {
  const id = lineId && uuidOf(lineId)
  return id ? await lockDelivery(trx, id) : undefined
}

async function minterOf(trx: Transaction<Database>, { mintId, position }: Token) {
  const isMint = position === 0 && mintId !== null
  return isMint ? ((await findMint(trx, mintId))?.creatorId ?? null) : null
}

/** Also of a token without a mint in this database: catalog may know its item although minting was restored. */
async function publishMove(trx: Transaction<Database>, token: Token) {
  if (!token.txHash || !token.movedAt) return
  await publishEvent(trx, tokenMoved, {
    token: token.token,
    contract: token.contract,
    identifier: token.identifier,
    ownerId: token.ownerId,
    wallet: token.wallet && checkedAddress(token.wallet)!,
    position: token.publishedPosition,
    txHash: token.txHash,
    at: token.movedAt.toISOString(),
  })
}
