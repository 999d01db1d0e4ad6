import { tokenMoved } from '@nifty/events/minting'
import { tokenOf } from '@nifty/events/shapes'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { inSpan } from '@nifty/service-kit/traces/trace'
import type { Transaction } from 'kysely'
import { accountBehind, findAccount, personInCustody } from '../accounts/account.store.ts'
import { uuidOf } from '../chain/keys.ts'
import type { Contracts } from '../chain/log.ts'
import { checkedAddress } from '../chain/node.ts'
import type { Database } from '../db.ts'
import { lockDelivery } from '../deliveries/delivery.store.ts'
import { findMint } from '../mints/mint.store.ts'
import { removePermit } from '../permits/permit.store.ts'
import { changeToken, lockToken, lockTokensIn, type Token } from '../tokens/token.store.ts'
import type { Move } from './transfers.ts'

/** A token changed hands in a final block. Told again, it changes nothing: the chain's positions only grow. */
export async function moveToken(trx: Transaction<Database>, move: Move, contracts: Contracts) {
  const token = await lockToken(trx, tokenOf(contracts.collection, String(move.id)))
  if (!token || move.position <= token.position) return

  const delivery = await deliveryOf(trx, move)
  const inCustody = move.to === contracts.delivery
  const moved: Token = {
    ...token,
    wallet: inCustody ? null : move.to.toLowerCase(),
    custodyAccount: inCustody && move.account ? (uuidOf(move.account) ?? null) : null,
    deliveredTo: delivery ? delivery.buyerId : await minterOf(trx, token),
    position: move.position,
    announcedPosition: move.position,
    txHash: move.txHash,
    movedAt: move.at,
  }
  moved.ownerId = await ownerOf(trx, moved)
  await changeToken(trx, token.token, moved)
  // The permit's nonce moved with the token.
  await removePermit(trx, token.token)
  await inSpan({ name: 'token moved', continues: delivery?.traceparent }, () => announceMove(trx, moved))
}

/** Owners of the tokens in these wallets (lower case) after somebody proved one, or ceased to. */
export async function announceOwners(trx: Transaction<Database>, wallets: string[]) {
  if (wallets.length === 0) return
  for (const token of await lockTokensIn(trx, wallets)) {
    const ownerId = await ownerOf(trx, token)
    if (ownerId === token.ownerId) continue
    // Greater than what was said before, smaller than anything a later block can say.
    const changed = { ...token, ownerId, announcedPosition: token.announcedPosition + 1 }
    await changeToken(trx, token.token, changed)
    await announceMove(trx, changed)
  }
}

/** The account behind a token: the custody's beneficiary, who has proven the wallet, or whom we delivered it to. */
async function ownerOf(trx: Transaction<Database>, token: Token): Promise<string | null> {
  if (token.custodyAccount) return personInCustody(trx, token.custodyAccount)
  if (!token.wallet) return null
  const proven = await accountBehind(trx, token.wallet)
  if (proven || !token.deliveredTo) return proven
  const recipient = await findAccount(trx, token.deliveredTo)
  return recipient?.deleted ? null : token.deliveredTo
}

async function deliveryOf(trx: Transaction<Database>, { lineId }: Move) {
  const id = lineId && uuidOf(lineId)
  return id ? await lockDelivery(trx, id) : undefined
}

async function minterOf(trx: Transaction<Database>, { mintId, position }: Token) {
  const isMint = position === 0 && mintId !== null
  return isMint ? ((await findMint(trx, mintId))?.creatorId ?? null) : null
}

async function announceMove(trx: Transaction<Database>, token: Token) {
  if (!token.mintId || !token.txHash || !token.movedAt) return
  await publishEvent(trx, tokenMoved, {
    token: token.token,
    contract: token.contract,
    identifier: token.identifier,
    ownerId: token.ownerId,
    wallet: token.wallet && checkedAddress(token.wallet)!,
    position: token.announcedPosition,
    txHash: token.txHash,
    at: token.movedAt.toISOString(),
  })
}
