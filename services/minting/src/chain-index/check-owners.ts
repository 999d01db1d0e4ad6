import { uuidOf } from '@nifty/contracts/keys'
import { ZeroHash } from 'ethers'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { settledBlock } from '../deliveries/line-on-chain.ts'
import { getToken, type Token } from '../tokens/token.store.ts'
import { dueTokens, recordCheck } from './owner-check.store.ts'

const TOKENS_PER_RUN = 50
const DAY_MS = 86_400_000
/** Callers of internal endpoints time out after 5 s. */
const REQUEST_MS = 1_500
const AT_ONCE = 16

/**
 * Compares the stored holders of tokens with those of a final block, each once a day: an index that missed a log
 * would never know. Where they differ, the token's newest move is read from the chain and applied. Returns true when
 * more are due.
 */
export async function checkOwners(context: ChainContext): Promise<boolean> {
  const { collection } = context.contracts
  const due = await dueTokens(context.db, { collection, limit: TOKENS_PER_RUN, olderThanMs: DAY_MS })
  if (due.length === 0) return false
  const block = await settledBlock(context)
  if (block === undefined) return false
  for (const token of due) {
    await checkOwner(context, token, block)
    await recordCheck(context.db, token.token)
  }
  return due.length === TOKENS_PER_RUN
}

/**
 * The same for the tokens of a reconciliation, those that were compared longest ago first, as far as a request has
 * time. Without effect while a node or the index does not respond.
 */
export async function checkOwnersOf(context: ChainContext, tokens: string[]): Promise<void> {
  const { db, contracts, log } = context
  const until = performance.now() + REQUEST_MS
  try {
    const due = await dueTokens(db, { collection: contracts.collection, limit: tokens.length, olderThanMs: 0, tokens })
    const block = due.length > 0 ? await settledBlock(context) : undefined
    for (let next = 0; block !== undefined && next < due.length && performance.now() < until; next += AT_ONCE)
      await Promise.all(
        due.slice(next, next + AT_ONCE).map(async (token) => {
          await checkOwner(context, token, block)
          await recordCheck(db, token.token)
        }),
      )
  } catch (error) {
    log.warn({ err: error }, 'reconciliation: holders not compared with the chain, the daily comparison does it')
  }
}

async function checkOwner(context: ChainContext, { token, contract, identifier }: Token, block: number) {
  const { node, index, log } = context
  const id = BigInt(identifier)
  const holder = await readHolder(context, id, block)
  // Read after the block: what the index has applied since is applied again, without effect.
  const differs = async () => {
    const { wallet, custodyAccount } = await getToken(context, { contract, identifier })
    return holder.wallet !== wallet || holder.custodyAccount !== custodyAccount
  }
  if (!(await differs())) return
  await index.apply(await node.newestMove(id, { inCustody: holder.wallet === null, last: block }))
  if (await differs())
    log.error({ alarm: 'owner_differs', token, holder }, 'the index and the chain differ about a token')
  else log.warn({ token, holder }, 'index: a move of a token was missing, read from the chain')
}

/**
 * As the index stores it: a wallet in lower case, or the custody account. Both are null of a token that does not
 * exist.
 */
async function readHolder({ node, contracts }: ChainContext, id: bigint, block: number) {
  const holder = await node.holderOf(id, block)
  if (holder !== contracts.delivery) return { wallet: holder?.toLowerCase() ?? null, custodyAccount: null }
  const key = await node.beneficiaryOf(id, block)
  return { wallet: null, custodyAccount: key === ZeroHash ? null : (uuidOf(key) ?? null) }
}
