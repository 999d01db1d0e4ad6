import type Stripe from 'stripe'
import { missingObject } from '../errors/api-error.ts'
import type { SavedCard } from '../store/object.ts'
import type { Reader, Transaction } from '../store/transaction.ts'
import { type CustomerFields, deletedCustomer, isDeleted, newCustomer } from './customer.ts'

/** Undefined for a customer that does not exist, or was deleted. */
export function findCustomer(reader: Pick<Reader, 'find'>, id: string): Stripe.Customer | undefined {
  const found = reader.find('customer', id)
  return found && !isDeleted(found) ? found : undefined
}

/** Throws 404 for a customer that does not exist, or was deleted. */
function getCustomer(tx: Transaction, id: string): Stripe.Customer {
  const found = findCustomer(tx, id)
  if (!found) throw missingObject('customer', id, 'id')
  return found
}

export function createCustomer(tx: Transaction, fields: CustomerFields): Stripe.Customer {
  const customer = tx.save(newCustomer(fields, tx.now))
  tx.emit('customer.created', customer)
  return customer
}

/** Changes what is named. An event follows only when something is different afterwards. */
export function updateCustomer(tx: Transaction, id: string, { metadata, ...fields }: CustomerFields): Stripe.Customer {
  const customer = getCustomer(tx, id)
  const named = Object.entries(fields).filter(([, value]) => value !== undefined)
  const changed = {
    ...Object.fromEntries(named),
    ...(metadata ? { metadata: { ...customer.metadata, ...metadata } } : {}),
  }
  const previous = Object.fromEntries(
    Object.keys(changed).map((name) => [name, customer[name as keyof Stripe.Customer]]),
  )
  if (JSON.stringify(previous) === JSON.stringify(changed)) return customer
  const saved = tx.save({ ...customer, ...changed } as Stripe.Customer)
  tx.emit('customer.updated', saved, previous)
  return saved
}

/** Deletes a customer with all saved cards. It can still be retrieved, as deleted. */
export function deleteCustomer(tx: Transaction, id: string): Stripe.DeletedCustomer {
  const customer = getCustomer(tx, id)
  for (const card of savedCards(tx, id)) removeCard(tx, card)
  tx.emit('customer.deleted', customer)
  return tx.save(deletedCustomer(id))
}

/** The cards that a customer has saved, newest first. */
export const savedCards = (reader: Pick<Reader, 'list'>, customer: string | null): SavedCard[] =>
  customer === null
    ? []
    : reader.list('sandbox.saved_card').filter((card) => card.customer === customer && !card.isRemoved)

export const removeCard = (tx: Transaction, card: SavedCard) => tx.save({ ...card, isRemoved: true })

/** Saves a card, unless the customer has saved it before. */
export function saveCard(tx: Transaction, card: Omit<SavedCard, 'object' | 'isRemoved'>) {
  if (savedCards(tx, card.customer).some(({ number }) => number === card.number)) return
  tx.save({ object: 'sandbox.saved_card', isRemoved: false, ...card })
}
