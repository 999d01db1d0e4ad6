import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Database } from '../db.ts'

type OrderNote = Selectable<Database['orderNote']>

/** Oldest first. */
export const notesOf = (db: Kysely<Database>, orderId: string): Promise<OrderNote[]> =>
  db.selectFrom('orderNote').selectAll().where('orderId', '=', orderId).orderBy('at').execute()

/** Stores nothing when there is a note with this id. Returns the note of the id. */
export async function saveNote(trx: Transaction<Database>, note: Omit<OrderNote, 'at'>): Promise<OrderNote> {
  await trx
    .insertInto('orderNote')
    .values(note)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx.selectFrom('orderNote').selectAll().where('id', '=', note.id).executeTakeFirstOrThrow()
}

/** Deletes the notes about the orders of a deleted account: they are free text about a person. */
export async function deleteNotesOf(trx: Transaction<Database>, buyerId: string) {
  const orders = trx.selectFrom('orders').select('id').where('buyerId', '=', buyerId)
  await trx.deleteFrom('orderNote').where('orderId', 'in', orders).execute()
}

export const viewNote = ({ id, operator, text, at }: OrderNote) => ({
  noteId: id,
  operator,
  text,
  at: at.toISOString(),
})
