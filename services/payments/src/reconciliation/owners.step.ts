import { findItemOwners } from '@nifty/api/catalog/internal'
import { listTokenOwners } from '@nifty/api/minting/internal'
import { saveDifferences } from './reconciliation.store.ts'
import type { Difference } from './reconciliation.ts'
import type { ReconciliationStep, StepContext } from './reconciliation-step.ts'

type Owned = { token: string; ownerId: string | null }

/** Compares the owners on the chain that changed in the period with those that the market shows. */
export const owners: ReconciliationStep = async (context) => {
  const { trx, run, minting } = context
  const { tokens, next } = await minting(listTokenOwners, {
    query: { since: run.since.toISOString(), ...(run.cursor === null ? {} : { after: run.cursor }) },
  })
  await saveDifferences(trx, await ownerDifferences(context, tokens))
  return { cursor: next, compared: tokens.length }
}

/** Tokens whose item has another owner, or none exists. */
async function ownerDifferences({ catalog }: StepContext, tokens: Owned[]): Promise<Difference[]> {
  if (tokens.length === 0) return []
  const { items } = await catalog(findItemOwners, { body: { tokens: tokens.map(({ token }) => token) } })
  const shown = new Map(items.map(({ token, ownerId }) => [token, ownerId]))
  return tokens.flatMap((token) => ownerDifference(token, shown.get(token.token)) ?? [])
}

/** `shown`: the owner in catalog, undefined without an item. */
export function ownerDifference({ token, ownerId }: Owned, shown: string | null | undefined): Difference | null {
  if (shown === ownerId) return null
  if (shown === undefined) return difference(token, 'is on the chain, but not in catalog')
  return difference(token, `belongs to ${ownerId ?? 'nobody known'} on the chain, to ${shown ?? 'nobody'} in catalog`)
}

export const notOnChain = (token: string) => difference(token, 'is in catalog, but not on the chain')

function difference(token: string, detail: string): Difference {
  return { kind: 'token', subject: token, orderId: null, intentId: null, detail }
}
