/** The steps of a run, in their sequence. */
export const stepNames = [
  'all_orders',
  'refunds',
  'disputes',
  'intents',
  'orders',
  'payouts',
  'deliveries',
  'owners',
  'items',
  'reservations',
  'differences',
] as const
export type StepName = (typeof stepNames)[number]

/** Only a run that compares everything has these. */
const fullSteps: readonly StepName[] = ['all_orders', 'items']

/** The step after another one; null after the last. */
export function stepAfter(step: StepName | null, isFull: boolean): StepName | null {
  const rest = stepNames.slice(step === null ? 0 : stepNames.indexOf(step) + 1)
  return rest.find((name) => isFull || !fullSteps.includes(name)) ?? null
}

export type DifferenceKind = 'order' | 'intent' | 'payout' | 'line' | 'token' | 'reservation'
export type Difference = {
  kind: DifferenceKind
  subject: string
  orderId: string | null
  intentId: string | null
  detail: string
}

/** Cents. Held = captured + released + in flight. Withdrawn: from the captured, by refunds and disputes. */
export type Sums = {
  heldCents: number
  capturedCents: number
  releasedCents: number
  inFlightCents: number
  withdrawnCents: number
}

export const nothing: Sums = { heldCents: 0, capturedCents: 0, releasedCents: 0, inFlightCents: 0, withdrawnCents: 0 }

const labels: Record<keyof Sums, string> = {
  heldCents: 'held',
  capturedCents: 'captured',
  releasedCents: 'released',
  inFlightCents: 'in flight',
  withdrawnCents: 'withdrawn',
}
const keys = Object.keys(labels) as (keyof Sums)[]

export const add = (a: Partial<Sums>, b: Sums): Sums =>
  Object.fromEntries(keys.map((key) => [key, (a[key] ?? 0) + b[key]])) as Sums

export const isSame = (a: Sums, b: Sums) => keys.every((key) => a[key] === b[key])

export const formatSums = (sums: Sums) => keys.map((key) => `${labels[key]} ${sums[key]}`).join(', ')
