import { MAX_FOLLOWS } from '@nifty/api/catalog/follows'
import { conflict, limitReached, notFound } from '@nifty/service-kit/base/errors'
import type { Transaction } from 'kysely'
import { findAccounts, lockCaller } from '../accounts/account.store.ts'
import type { Database } from '../db.ts'
import { deleteFollow, insertFollow } from './follow.store.ts'

type Follow = { userId: string; artistId: string }

/**
 * Idempotent. Throws 404 `artist_not_found` for an account that is unknown, deleted or suspended, 409 `own_profile` and
 * 429 `too_many_follows`. Locks the account, so that the limit holds.
 */
export async function follow(trx: Transaction<Database>, { userId, artistId }: Follow) {
  if (userId === artistId) throw conflict('own_profile', 'You cannot follow yourself')
  await lockCaller(trx, userId)
  const artist = (await findAccounts(trx, [artistId])).get(artistId)
  if (!artist || artist.username === null || artist.suspended) throw notFound('artist_not_found', 'User not Found')
  if (!(await insertFollow(trx, { userId, artistId, atMost: MAX_FOLLOWS })))
    throw limitReached('too_many_follows', `You may follow at most ${MAX_FOLLOWS} artists`)
}

/** Throws 404 if the account does not follow the artist. */
export async function unfollow(trx: Transaction<Database>, { userId, artistId }: Follow) {
  if (!(await deleteFollow(trx, userId, artistId))) throw notFound('follow_not_found', 'You do not follow this artist')
}
