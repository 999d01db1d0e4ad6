import type { Order } from '@nifty/api/payments/public'
import type { Person } from './cast/accounts.ts'
import type { Work } from './cast/works.ts'
import type { Purchase } from './schedule.ts'

/** What a client saw of its purchase. */
export type History = Purchase & {
  place: number
  person: Person
  cart: Work[]
  since: number
  orderId?: string
  url?: string
  /** Offered for the work. */
  offeredCents?: number
  /** The most that was bid for the work. */
  limitCents?: number
  /** The order was refused: nothing was bought. */
  refused?: { status: number; code?: string }
  paid?: boolean
  /** The last state that the client read. */
  last?: Order
  ended: boolean
}
