import { type Kysely, sql } from 'kysely'
import { resourceName } from '../base/resources.ts'
import { withMigrationLock } from './database.ts'

/** Tables that only the owner writes. */
const READ_ONLY = ['migration', 'store_identity']
/** Tables to which rows are added; triggers that only the owner can disable refuse more. */
const APPEND_ONLY = ['audit_log']

/** The role that a service's URL names. */
export const roleOf = (url: string) => decodeURIComponent(new URL(url).username)

/** A service's database, the role that owns and migrates it, and the role of the service itself. */
export const databaseRoles = (prefix: string, service: string) => {
  const database = resourceName(prefix, service)
  return { database, owner: `${database}-owner`, role: database }
}

/** SQL for a superuser of an empty server: database and roles of one service, without passwords. */
export function createRolesSql(prefix: string, service: string): string {
  const { database, owner, role } = databaseRoles(prefix, service)
  return [
    `create role "${owner}" login;`,
    `create role "${role}" login;`,
    `create database "${database}" owner "${owner}" template template0 encoding 'UTF8' locale 'C';`,
    `revoke all on database "${database}" from public;`,
  ].join('\n')
}

/** SQL for the same superuser: takes the right to connect to the server's default databases from all roles. */
export const closeServerSql = 'revoke all on database postgres, template1 from public;'

/**
 * Grants a service's role to read and write rows, and nothing else; takes the connection away from all other roles. For
 * the owner of the database, after each migration. Does nothing for the owner itself.
 */
export async function grantRows(db: Kysely<any>, role: string) {
  await withMigrationLock(db, (connection) =>
    connection.transaction().execute(async (trx) => {
      const { rows } = await sql<{ database: string; owner: string }>`
        select current_database() as database, current_user as owner`.execute(trx)
      const { database, owner } = rows[0]!
      if (role === owner) return
      const to = sql.id(role)
      await sql`revoke all on database ${sql.id(database)} from public`.execute(trx)
      await sql`grant connect on database ${sql.id(database)} to ${to}`.execute(trx)
      await sql`revoke all on schema public from public`.execute(trx)
      await sql`grant usage on schema public to ${to}`.execute(trx)
      await sql`grant select, insert, update, delete on all tables in schema public to ${to}`.execute(trx)
      for (const table of READ_ONLY)
        await sql`revoke insert, update, delete on ${sql.id(table)} from ${to}`.execute(trx)
      for (const table of APPEND_ONLY) await sql`revoke update, delete on ${sql.id(table)} from ${to}`.execute(trx)
    }),
  )
}
