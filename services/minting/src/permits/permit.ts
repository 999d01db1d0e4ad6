import { conflict, forbidden, notFound } from '@nifty/service-kit/errors'
import type { Token } from '../tokens/token.store.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

export const tokenNotFound = () => notFound('token_not_found', 'NFT not found')

/** A deadline of its own, in whole seconds: a year and no more, and long enough to be of use. */
export const newDeadline = (now: Date) => new Date(Math.floor((now.getTime() + YEAR_MS) / 1000) * 1000)
export const isUsefulDeadline = (deadline: Date, now: Date) =>
  deadline.getTime() % 1000 === 0 &&
  deadline.getTime() > now.getTime() + 2 * DAY_MS &&
  deadline.getTime() <= now.getTime() + YEAR_MS + DAY_MS

/** Permits are for owners who hold the token in a wallet of their own. */
export function assertMayPermit(token: Token, userId: string) {
  if (token.ownerId !== userId) throw forbidden('not_owner', 'Forbidden')
  if (!token.wallet) throw conflict('in_custody', 'The store keeps this NFT for you: no permit is needed')
}
