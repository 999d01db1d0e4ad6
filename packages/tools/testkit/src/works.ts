import type { Nft } from '@nifty/api/catalog/public'
import type { DemoAccount } from '@nifty/demo-data/account'
import { type ApiClient, accountsOf } from './api-client.ts'
import type { RunFile } from './run-file.ts'
import { demoUser, type User } from './users.ts'
import { waitUntil } from './wait-until.ts'

export const itemPath = ({
  ownerUsername,
  contract,
  identifier,
}: Pick<Nft, 'ownerUsername' | 'contract' | 'identifier'>) =>
  `/item-detail/${ownerUsername ?? 'unknown'}/${contract}/${identifier}`

/** Euros as pages write them: cents stand in full or not at all, 12.50 or 12. */
export const asPrinted = (euros: number) =>
  `${euros.toLocaleString('en', { minimumFractionDigits: Number.isInteger(euros) ? 0 : 2 })}\u00a0€`

/**
 * A work that is for sale and not reserved. A store that has just started creates its works in the background: waits.
 */
export async function availableWork(client: ApiClient, wanted: (work: Nft) => boolean = () => true): Promise<Nft> {
  return waitUntil(async () => (await client.market()).find((each) => each.forSale && !each.reserved && wanted(each)))
}

/**
 * A work that is for sale, and its owner, one of the demo creators: other tests may have bought all works of a certain
 * one.
 */
export async function workAndOwner(
  run: RunFile,
  client: ApiClient,
  wanted: (work: Nft) => boolean = () => true,
): Promise<{ work: Nft; owner: User & Pick<DemoAccount, 'wallet'> }> {
  const creators = accountsOf(run, 'creator').map(({ username }) => username)
  const work = await availableWork(client, (each) => creators.includes(each.ownerUsername ?? '') && wanted(each))
  return { work, owner: await demoUser(run, 'creator', creators.indexOf(work.ownerUsername!)) }
}
