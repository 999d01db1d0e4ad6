/** How a price is divided, cents. The three add up to the price. */
export type Shares = { sellerCents: number; commissionCents: number; royaltyCents: number }

const share = (cents: number, bps: number) => Math.round((cents * bps) / 10_000)

/**
 * The platform's commission, then the creator's royalty: 0 where the creator sells. The seller gets the remainder, so
 * that the shares add up to the price. Shares in basis points: hundredths of a percent.
 */
export function sharesOf(
  priceCents: number,
  { commissionBps, royaltyBps }: { commissionBps: number; royaltyBps: number },
): Shares {
  const commissionCents = share(priceCents, commissionBps)
  const royaltyCents = Math.min(share(priceCents, royaltyBps), priceCents - commissionCents)
  return { sellerCents: priceCents - commissionCents - royaltyCents, commissionCents, royaltyCents }
}
