import { listItemOwners } from '@nifty/api/catalog/internal'
import { findTokenOwners } from '@nifty/api/minting/internal'
import { notOnChain, ownerDifference } from './owners.step.ts'
import { saveDifferences } from './reconciliation.store.ts'
import type { Difference } from './reconciliation.ts'
import type { ReconciliationStep } from './reconciliation-step.ts'

/** Compares every item of catalog with the owner of its token on the chain. */
export const items: ReconciliationStep = async ({ trx, run, minting, catalog }) => {
  const { items, next } = await catalog(listItemOwners, { query: run.cursor === null ? {} : { after: run.cursor } })
  const { tokens } = await minting(findTokenOwners, { body: { tokens: items.map(({ token }) => token) } })
  const onChain = new Map(tokens.map((token) => [token.token, token]))
  const differences = items.flatMap(({ token, ownerId }): Difference[] => {
    const found = onChain.get(token)
    if (found) return [ownerDifference(found, ownerId) ?? []].flat()
    return [notOnChain(token)]
  })
  await saveDifferences(trx, differences)
  return { cursor: next, compared: items.length }
}
