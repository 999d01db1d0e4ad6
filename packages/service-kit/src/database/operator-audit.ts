import type { Generated, Kysely, Selectable, Transaction } from 'kysely'
import { anyOf } from './database.ts'

/** Part of every service's database (migrations/002-audit-log.sql). Append-only: a trigger refuses changes. */
export type AuditTables = {
  auditLog: {
    id: Generated<string>
    operator: string
    reason: string
    action: string
    subject: string
    at: Generated<Date>
  }
}

/** The acting person and the reason, as the operator's tool sends them with every action. */
export type OperatorReason = { operator: string; reason: string }

/**
 * Records an action of an operator in the transaction of the change itself. `subject` identifies what was acted on.
 * Returns the entry's id.
 */
export async function recordOperatorAction(
  trx: Transaction<any>,
  { action, subject, operator, reason }: OperatorReason & { action: string; subject: string },
): Promise<string> {
  const { id } = await (trx as Transaction<AuditTables>)
    .insertInto('auditLog')
    .values({ action, subject, operator, reason })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Recorded actions on any of these subjects, oldest first. */
export function listOperatorActions(
  db: Kysely<any>,
  subjects: string[],
): Promise<Selectable<AuditTables['auditLog']>[]> {
  if (subjects.length === 0) return Promise.resolve([])
  return (db as Kysely<AuditTables>)
    .selectFrom('auditLog')
    .selectAll()
    .where('subject', '=', anyOf(subjects))
    .orderBy('id')
    .execute()
}

export type ActionFilter = { subject?: string; word?: string; since?: string }

/**
 * Recorded actions that match every given filter, newest first, at most `limit`. `word` is an action or an operator.
 */
export function findOperatorActions(
  db: Kysely<any>,
  { subject, word, since }: ActionFilter,
  limit: number,
): Promise<Selectable<AuditTables['auditLog']>[]> {
  let query = (db as Kysely<AuditTables>).selectFrom('auditLog').selectAll()
  if (subject) query = query.where('subject', '=', subject)
  if (word) query = query.where((eb) => eb.or([eb('action', '=', word), eb('operator', '=', word)]))
  if (since) query = query.where('at', '>=', new Date(since))
  return query.orderBy('id', 'desc').limit(limit).execute()
}
