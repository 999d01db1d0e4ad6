import { notFound } from '@nifty/service-kit/base/errors'
import { anyOf } from '@nifty/service-kit/database/database'
import type { Kysely, Transaction } from 'kysely'
import type { Database, Row } from '../db.ts'

export type Token = Row<'token'>

export const tokenNotFound = () => notFound('token_not_found', 'NFT not found')

const findToken = (db: Kysely<Database>, token: string) =>
  db.selectFrom('token').selectAll().where('token', '=', token).executeTakeFirst()

/** Throws 404 for a token of another contract, too. */
export async function getToken(
  { db, contracts }: { db: Kysely<Database>; contracts: { collection: string } },
  { contract, identifier }: { contract: string; identifier: string },
): Promise<Token> {
  const isOurs = contract.toLowerCase() === contracts.collection.toLowerCase()
  const token = isOurs ? await findToken(db, `${contract.toLowerCase()}/${identifier}`) : undefined
  if (!token) throw tokenNotFound()
  return token
}

/** Name and master file of its mint; undefined when that was lost. */
export const findWork = (db: Kysely<Database>, token: string) =>
  db
    .selectFrom('token')
    .innerJoin('mint', 'mint.id', 'token.mintId')
    .select(['mint.name', 'mint.file'])
    .where('token.token', '=', token)
    .executeTakeFirst()

export const lockToken = (trx: Transaction<Database>, token: string) =>
  trx.selectFrom('token').selectAll().where('token', '=', token).forUpdate().executeTakeFirst()

export const lockTokensIn = (trx: Transaction<Database>, wallets: string[]) =>
  trx.selectFrom('token').selectAll().where('wallet', '=', anyOf(wallets)).orderBy('token').forUpdate().execute()

export const lockTokensInCustody = (trx: Transaction<Database>, custodyAccount: string) =>
  trx
    .selectFrom('token')
    .selectAll()
    .where('custodyAccount', '=', custodyAccount)
    .orderBy('token')
    .forUpdate()
    .execute()

export const addToken = (
  trx: Transaction<Database>,
  token: { token: string; contract: string; identifier: string; mintId: string | null },
) =>
  trx
    .insertInto('token')
    .values({
      ...token,
      wallet: null,
      custodyAccount: null,
      deliveredTo: null,
      ownerId: null,
      txHash: null,
      movedAt: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const updateToken = (trx: Transaction<Database>, token: string, changes: Partial<Token>) =>
  trx.updateTable('token').set(changes).where('token', '=', token).execute()

/** Lower case, with repetitions. */
export async function findWalletsOfOwner(db: Kysely<Database>, ownerId: string): Promise<string[]> {
  const tokens = await db.selectFrom('token').select('wallet').where('ownerId', '=', ownerId).execute()
  return tokens.flatMap(({ wallet }) => wallet ?? [])
}
