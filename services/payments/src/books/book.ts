import { type Shares, sharesOf } from '@nifty/api/payments/shares'

/**
 * `sale` belongs to the seller, `royalty` to the creator; `commission` and `platform` (losses it bears) to the
 * platform.
 */
export type EntryKind = 'sale' | 'royalty' | 'commission' | 'platform'
export type EntryCause = 'capture' | 'write_off' | 'refund' | 'dispute' | 'assignment'
export type ReversalKind = 'refund' | 'dispute' | 'fraud_warning'
export type Bearer = 'platform' | 'seller'

type Sale = {
  priceCents: number
  sellerId: string
  creatorId: string
  /** Basis points: hundredths of a percent. */
  commissionBps: number
  royaltyBps: number
}

/** The shares of a sale, with the creator's royalty on a resale. */
export const splitPrice = ({ priceCents, sellerId, creatorId, commissionBps, royaltyBps }: Sale): Shares =>
  sharesOf(priceCents, { commissionBps, royaltyBps: sellerId === creatorId ? 0 : royaltyBps })

/** What left a line's captured amount by refunds and disputes, by who bears it. Cents. */
export type Losses = Record<Bearer, number>

export type Balances = Record<EntryKind, number>

export const noBalances: Balances = { sale: 0, royalty: 0, commission: 0, platform: 0 }

type BookedLine = { priceCents: number; capturedCents: number; shares: Shares | null; losses: Losses }

/**
 * What the entries of a line must add up to, by kind. Together: captured less lost; 0 for a written-off line. The
 * commission shrinks with every loss, the shares of seller and creator with the seller's; the platform takes the rest,
 * which includes cents of rounding and an amount that was never captured. `shares` is null for a line that was not
 * delivered.
 */
export function balancesOf({ priceCents, capturedCents, shares, losses }: BookedLine): Balances {
  const lost = losses.platform + losses.seller
  const left = (cents: number, of: number) => cents - Math.round((cents * Math.min(of, priceCents)) / priceCents)
  const sale = shares ? left(shares.sellerCents, losses.seller) : 0
  const royalty = shares ? left(shares.royaltyCents, losses.seller) : 0
  const commission = shares ? left(shares.commissionCents, lost) : 0
  return { sale, royalty, commission, platform: capturedCents - lost - sale - royalty - commission }
}
