/**
 * `sale` belongs to the seller, `royalty` to the creator; `commission` and `platform` (losses it bears) to the
 * platform.
 */
export type EntryKind = 'sale' | 'royalty' | 'commission' | 'platform'
export type EntryCause = 'capture' | 'write_off' | 'refund' | 'dispute' | 'assignment'
export type ReversalKind = 'refund' | 'dispute' | 'fraud_warning'
export type Bearer = 'platform' | 'seller'

/** How a price is divided, cents. The three add up to the price. */
export type Shares = { sellerCents: number; commissionCents: number; royaltyCents: number }

type Sale = {
  priceCents: number
  sellerId: string
  creatorId: string
  /** Basis points: hundredths of a percent. */
  commissionBps: number
  royaltyBps: number
}

const share = (cents: number, bps: number) => Math.round((cents * bps) / 10_000)

/**
 * The platform's commission, then the creator's royalty on a resale. The seller gets the remainder, so that the
 * shares add up to the price.
 */
export function splitPrice({ priceCents, sellerId, creatorId, commissionBps, royaltyBps }: Sale): Shares {
  const commissionCents = share(priceCents, commissionBps)
  const isResale = sellerId !== creatorId
  const royaltyCents = isResale ? Math.min(share(priceCents, royaltyBps), priceCents - commissionCents) : 0
  return { sellerCents: priceCents - commissionCents - royaltyCents, commissionCents, royaltyCents }
}

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
