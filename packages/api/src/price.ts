const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })
const withCents = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/**
 * Euros as pages, mails, share images and search engines show them: `1,450 €`, `9.50 €`, with a space that does not
 * break.
 */
export const formatPrice = (euros: number) => `${(Number.isInteger(euros) ? whole : withCents).format(euros)}\u00a0€`

/** The lowest and the highest price of a work, in euros. */
export const priceRange = { min: 0.5, max: 999_999.99 }
