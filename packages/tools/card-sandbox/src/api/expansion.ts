import { invalid } from '../errors/api-error.ts'
import { type Basket, type ObjectType, objectTypes } from '../store/object.ts'
import type { Reader } from '../store/transaction.ts'

type Finder = Pick<Reader, 'find'>
type Node = Record<string, unknown>

const expandable = objectTypes.filter((kind) => !kind.startsWith('sandbox.') && kind !== 'event')

function objectOf(store: Finder, id: string): Node | undefined {
  for (const kind of expandable) {
    const found = store.find(kind as ObjectType, id)
    if (found) return found as unknown as Node
  }
  return undefined
}

const cannotExpand = (path: string) => invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })

/** The public `line_items` list of a session. */
function lineItems({ id, items }: Basket, currency: string) {
  return {
    object: 'list',
    has_more: false,
    url: `/v1/checkout/sessions/${id}/line_items`,
    data: items.map(({ name, unitAmount, quantity }, index) => ({
      id: `li_${id.slice(-20)}${index}`,
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: unitAmount * quantity,
      amount_tax: 0,
      amount_total: unitAmount * quantity,
      currency,
      description: name,
      metadata: {},
      price: null,
      quantity,
    })),
  }
}

function expandStep(store: Finder, node: Node, [step, ...rest]: string[], path: string): Node {
  const below = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const found = objectOf(store, value)
      if (!found) throw cannotExpand(path)
      return rest.length > 0 ? expandStep(store, found, rest, path) : found
    }
    if (value === null || rest.length === 0) return value
    if (typeof value !== 'object') throw cannotExpand(path)
    return expandStep(store, value as Node, rest, path)
  }
  const value = node[step!]
  if (node.object === 'checkout.session' && step === 'line_items' && rest.length === 0) {
    const basket = store.find('sandbox.basket', String(node.id))!
    return { ...node, line_items: lineItems(basket, String(node.currency)) }
  }
  if (value === undefined) throw cannotExpand(path)
  return { ...node, [step!]: Array.isArray(value) ? value.map(below) : below(value) }
}

/** Replaces ids by their objects at `paths`, e.g. `payment_intent.latest_charge` or `data.charge`. */
export function expand(store: Finder, body: object, paths: (string | undefined)[] = []): object {
  return paths.reduce<Node>((node, path) => expandOne(store, node, path!), body as Node)
}

function expandOne(store: Finder, node: Node, path: string): Node {
  const steps = path.split('.')
  if (steps.length > 4) throw cannotExpand(path)
  if (node.object !== 'list') return expandStep(store, node, steps, path)
  const [data, ...rest] = steps
  if (data !== 'data' || rest.length === 0) throw cannotExpand(path)
  return { ...node, data: (node.data as Node[]).map((each) => expandStep(store, each, rest, path)) }
}
