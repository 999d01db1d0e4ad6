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
