import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { CertifiedWork, Link, LinkWithWork } from './certificate.ts'

/** A token with its owner and its mint, as one query reads them. */
export async function findCertifiedWork(db: Kysely<Database>, token: string): Promise<CertifiedWork | undefined> {
  const { rows } = await sql<CertifiedWork>`
    select token.contract, token.identifier, token.owner_id, nullif(owner.username, '') as owner,
      coalesce(token.owner_since, token.moved_at) as owned_since, token.custody_account is not null as custody,
      mint.name, nullif(artist.username, '') as artist, mint.sha256, mint.tx_hash as mint_tx_hash
    from token
      left join account owner on owner.user_id = token.owner_id
      left join mint on mint.id = token.mint_id
      left join account artist on artist.user_id = mint.creator_id
    where token.token = ${token}`.execute(db)
  return rows[0]
}

type Place = { token: string; ownerId: string }

/** The link of an account that is not dead. */
export const findLiveLink = (db: Kysely<Database>, { token, ownerId }: Place): Promise<Link | undefined> =>
  db
    .selectFrom('certificateLink')
    .selectAll()
    .where('token', '=', token)
    .where('ownerId', '=', ownerId)
    .where('ended', 'is', null)
    .executeTakeFirst()

/** The links of an account that are not dead, newest first. */
export const listLiveLinks = (db: Kysely<Database>, ownerId: string, limit: number): Promise<LinkWithWork[]> =>
  db
    .selectFrom('certificateLink')
    .innerJoin('token', 'token.token', 'certificateLink.token')
    .leftJoin('mint', 'mint.id', 'token.mintId')
    .select(['token.identifier', 'mint.name', 'certificateLink.madeAt'])
    .select(sql<boolean>`token.owner_id is not distinct from certificate_link.owner_id`.as('owned'))
    .where('certificateLink.ownerId', '=', ownerId)
    .where('ended', 'is', null)
    .orderBy('certificateLink.madeAt', 'desc')
    .limit(limit)
    .execute()

export const findLink = (db: Kysely<Database>, secretHash: string): Promise<Link | undefined> =>
  db.selectFrom('certificateLink').selectAll().where('secretHash', '=', secretHash).executeTakeFirst()

export const addLink = (
  trx: Transaction<Database>,
  link: Place & { secretHash: string; sealedSecret: string },
): Promise<Link> => trx.insertInto('certificateLink').values(link).returningAll().executeTakeFirstOrThrow()

/** Ends the link of an account. Returns whether there was one. */
export async function endLink(
  db: Kysely<Database>,
  { token, ownerId }: Place,
  ended: 'renewed' | 'switched_off',
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('certificateLink')
    .set({ ended, sealedSecret: null })
    .where('token', '=', token)
    .where('ownerId', '=', ownerId)
    .where('ended', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** How many links an account made within a day. */
export async function countLinks(db: Kysely<Database>, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('certificateLink')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('ownerId', '=', ownerId)
    .where('madeAt', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes the links of an account, dead ones as well. */
export const removeLinksOf = (trx: Transaction<Database>, ownerId: string) =>
  trx.deleteFrom('certificateLink').where('ownerId', '=', ownerId).execute()
