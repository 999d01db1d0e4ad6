type Conditional = { ending: string; by?: number }

/** Place of the purchase whose work an offer or a bid is for: it ends this one, or follows it in the same auction. */
export const rivalOf = ({ offer, bid }: { offer?: Conditional; bid?: Conditional }): number | undefined =>
  offer?.by ?? bid?.by
