import { conflict, forbidden } from '@nifty/service-kit/base/errors'
import type { Token } from '../tokens/token.store.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** The default deadline, in whole seconds: one year ahead. */
export const newDeadline = (now: Date) => new Date(Math.floor((now.getTime() + YEAR_MS) / 1000) * 1000)

/** Whole seconds, at least two days and at most a year ahead. */
export const isValidDeadline = (deadline: Date, now: Date) =>
  deadline.getTime() % 1000 === 0 &&
  deadline.getTime() > now.getTime() + 2 * DAY_MS &&
  deadline.getTime() <= now.getTime() + YEAR_MS + DAY_MS

/** Only the owner may permit a delivery, and only from a wallet: custody needs no permit. */
export function assertMayPermit(token: Token, userId: string) {
  if (token.ownerId !== userId) throw forbidden('not_owner', 'Forbidden')
  if (!token.wallet) throw conflict('in_custody', 'The store keeps this NFT for you: no permit is needed')
}
