import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'

/** Cents as an amount in euros, such as `9.50 €`. */
export const formatCents = (cents: number) => formatPrice(toEuros(cents))
