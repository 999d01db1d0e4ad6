import pg from 'pg'

/** A statement is prepared when it is sent for the third time, so that statements that are sent once take no memory. */
const USES_BEFORE = 2
/** Statements that are prepared at most: each connection keeps them in PostgreSQL's memory. Others are sent as text. */
const MAX_PREPARED = 500
/** Texts whose uses are counted at a time. */
const MAX_COUNTED = 1_000

export const SERIALIZATION_FAILURE = '40001'

/**
 * A class of connections that prepare the statements they repeat, so that PostgreSQL parses and plans these once for
 * each connection. The connections of one class, which are those of one pool, use the same names.
 *
 * A migration that changes what a prepared statement returns makes it fail. All statements then get new names, and the
 * failed one is sent again. In a transaction it fails as a serialization failure, which is what it is to the caller:
 * the transaction has to be repeated as a whole. The texts change as well, because a pooler prepares a text once under
 * a name of its own. See decision 028.
 */
export function preparingClient() {
  const statements = preparedNames()

  return class PreparingClient extends pg.Client {
    override query(statement: any, values?: any, ...rest: any[]): any {
      if (typeof statement !== 'string' || !(values?.length > 0) || rest.length > 0)
        return super.query(statement, values, ...(rest as []))
      return this.#send(statement, values)
    }

    async #send(text: string, values: unknown[]) {
      const statement = statements.statementOf(text)
      if (!statement) return super.query(text, values)
      const inTransaction = this.getTransactionStatus() === 'T'
      try {
        return await super.query({ ...statement, values })
      } catch (error) {
        if (!isStale(error)) throw error
        statements.rename(statement.name)
        if (inTransaction) throw Object.assign(error, { code: SERIALIZATION_FAILURE })
        return await super.query(text, values)
      }
    }
  }
}

function preparedNames() {
  const uses = new Map<string, number>()
  const statements = new Map<string, { name: string; text: string }>()
  let generation = 0

  function statementOf(text: string) {
    const known = statements.get(text)
    if (known || statements.size >= MAX_PREPARED) return known
    const count = uses.get(text) ?? 0
    if (count < USES_BEFORE) {
      if (uses.size >= MAX_COUNTED) uses.clear()
      uses.set(text, count + 1)
      return undefined
    }
    uses.delete(text)
    const name = `${generation}-${statements.size}`
    const statement = { name, text: generation === 0 ? text : `/* ${generation} */ ${text}` }
    statements.set(text, statement)
    return statement
  }

  /** Only once for all statements that fail at the same time. */
  function rename(stale: string) {
    if (!stale.startsWith(`${generation}-`)) return
    generation++
    statements.clear()
  }

  return { statementOf, rename }
}

/**
 * True for "cached plan must not change result type", which has the code of everything that PostgreSQL does not
 * support; its text depends on the server's language.
 * https://github.com/postgres/postgres/blob/master/src/backend/utils/cache/plancache.c
 */
const isStale = (error: unknown): error is Error => (error as { routine?: unknown }).routine === 'RevalidateCachedQuery'
