/** How a price is divided. Cents; the three are its whole. */
export type Shares = { sellerCents: number; commissionCents: number; royaltyCents: number }

export type Sale = {
  priceCents: number
  sellerId: string
  creatorId: string
  /** Hundredths of a percent. */
  commissionBps: number
  royaltyBps: number
}

const share = (cents: number, bps: number) => Math.round((cents * bps) / 10_000)

/**
 * The house's commission first, then the creator's royalty when somebody else sells; the rest is the seller's, so that
 * no cent is made or lost by rounding.
 */
export function shareOut({ priceCents, sellerId, creatorId, commissionBps, royaltyBps }: Sale): Shares {
  const commissionCents = share(priceCents, commissionBps)
  const isResale = sellerId !== creatorId
  const royaltyCents = isResale ? Math.min(share(priceCents, royaltyBps), priceCents - commissionCents) : 0
  return { sellerCents: priceCents - commissionCents - royaltyCents, commissionCents, royaltyCents }
}
