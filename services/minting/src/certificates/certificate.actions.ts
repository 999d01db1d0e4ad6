import { unauthenticated } from '@nifty/service-kit/base/errors'
import { type Keys, randomToken, sealStored, sha256 } from '@nifty/service-kit/base/secrets'
import type { Kysely, Transaction } from 'kysely'
import { findAccount, lockAccount } from '../accounts/account.store.ts'
import type { Database } from '../db.ts'
import { lockToken, tokenNotFound } from '../tokens/token.store.ts'
import { addLink, countLinks, endLink, findCertifiedWork, findLink } from './certificate.store.ts'
import { assertLive, assertOwner, type CertifiedWork, type Link, linkNotFound, tooManyLinks } from './certificate.ts'

const LINKS_PER_DAY = 200

type Wanted = { token: string; userId: string }

/** Makes the link of an owned work's certificate; the former one is dead. Locks account and token. */
export async function makeLink(trx: Transaction<Database>, { token, userId }: Wanted, keys: Keys): Promise<Link> {
  await lockAccount(trx, userId)
  // Its session outlives an account by seconds.
  if ((await findAccount(trx, userId))?.deletedAt) throw unauthenticated()
  assertOwner((await lockToken(trx, token))!, userId)
  if ((await countLinks(trx, userId)) >= LINKS_PER_DAY) throw tooManyLinks()
  await endLink(trx, { token, ownerId: userId }, 'renewed')
  const secret = randomToken()
  const secretHash = sha256(secret)
  const sealedSecret = sealStored(secret, keys, secretHash)
  return addLink(trx, { token, ownerId: userId, secretHash, sealedSecret })
}

/** The work of a link, as it is now. Throws 404 with what happened to a link that is dead. */
export async function openLink(db: Kysely<Database>, secret: string): Promise<{ link: Link; work: CertifiedWork }> {
  const link = await findLink(db, sha256(secret))
  if (!link) throw linkNotFound()
  assertLive(link)
  const work = await findCertifiedWork(db, link.token)
  if (!work) throw tokenNotFound()
  return { link, work }
}
