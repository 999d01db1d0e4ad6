const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })
const withCents = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Formats euros with the sign after the number: `1,250 €`, `9.50 €`. */
export const formatPrice = (euros: number) => `${(Number.isInteger(euros) ? whole : withCents).format(euros)}\u00a0€`

export const Price = ({ euros }: { euros: number }) => <span className="tabular">{formatPrice(euros)}</span>
