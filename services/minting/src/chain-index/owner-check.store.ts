import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import type { Token } from '../tokens/token.store.ts'

type Due = { collection: string; limit: number; olderThanMs: number; tokens?: string[] }

/** Tokens, of the given ones if any, whose holder was not compared with the chain for so long; listed ones first. */
export async function dueTokens(
  db: Kysely<Database>,
  { collection, limit, olderThanMs, tokens }: Due,
): Promise<Token[]> {
  const { rows } = await sql<Token>`
    select token.* from token
    left join token_check using (token) left join listed_token listed on listed.token = token.token
    where contract = ${collection} and (checked_at is null or checked_at < now() - make_interval(secs => ${olderThanMs / 1_000}))
      and ${tokens ? sql<boolean>`token.token = ${anyOf(tokens)}` : sql<boolean>`true`}
    order by listed.token is null, checked_at nulls first limit ${limit}`.execute(db)
  return rows
}

export const recordCheck = (db: Kysely<Database>, token: string) =>
  db
    .insertInto('tokenCheck')
    .values({ token, checkedAt: sql`now()` })
    .onConflict((conflict) => conflict.column('token').doUpdateSet({ checkedAt: sql`now()` }))
    .execute()
