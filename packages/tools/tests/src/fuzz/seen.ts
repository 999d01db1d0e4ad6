const MAX_VALUES = 40

type Work = { _id: string; price: number; contract: string; identifier: string }

/**
 * What earlier responses contained, by the name of the field, for later requests. `owners` tells which account an
 * order, mint or withdrawal was created for: nobody else may read it.
 */
export function createSeen() {
  const values = new Map<string, unknown[]>()
  const owners = new Map<string, string>()

  function remember(name: string, value: unknown) {
    const known = values.get(name) ?? []
    values.set(name, known)
    if (known.includes(value)) return
    known.push(value)
    if (known.length > MAX_VALUES) known.shift()
  }

  function read(value: unknown, resource: string) {
    if (Array.isArray(value)) for (const each of value) read(each, resource)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    if (isWork(value)) remember('items', [{ _id: value._id, price: value.price }])
    for (const [name, field] of Object.entries(value)) {
      if (typeof field === 'object') read(field, resource)
      if (typeof field !== 'string' && typeof field !== 'number') continue
      remember(name, field)
      if (name === '_id' || name === 'orderId') remember(`id of ${resource}`, field)
      const file = /^\/uploads\/\w+\/([\w.-]+)$/.exec(String(field))?.[1]
      if (file) remember('file', file)
    }
  }

  return {
    owners,
    remember,
    /** Reads the body of a successful response. `caller` is the account that it was private to. */
    read(body: unknown, { resource, caller }: { resource: string; caller?: string }) {
      read(body, resource)
      if (caller) for (const id of idsOf(body)) owners.set(id, caller)
    },
    known: (name: string, resource: string): readonly unknown[] =>
      values.get(name === 'id' ? `id of ${resource}` : name) ?? [],
  }
}

export type Seen = ReturnType<typeof createSeen>

const isWork = (value: object): value is Work =>
  ['_id', 'price', 'contract', 'forSale'].every((name) => name in value) && (value as Work).price !== null

/** Ids of the objects that a private response lists at its top: orders, mints, withdrawals. */
function idsOf(body: unknown): string[] {
  const lists = Object.values(body ?? {}).filter(Array.isArray)
  return [body, ...lists.flat()]
    .map((each) => (each as { _id?: unknown } | null)?._id)
    .filter((id): id is string => typeof id === 'string')
}
