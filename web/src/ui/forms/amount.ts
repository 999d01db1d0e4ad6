import { formatPrice } from '@nifty/api/price'

export type Amount = { euros: number } | { problem: string }

const unreadable = { problem: 'An amount such as 120 or 99.50' }

/**
 * Reads an amount in euros as Europeans type it: `1500`, `9,5`, `9.50`, `1.500,00`, `1,500.00`, `1 500`, `1'500.00`,
 * with or without `€`. One point or comma with exactly three digits after it has two meanings and is refused: `1.500`.
 */
export function parseAmount(typed: string): Amount {
  const text = typed.replace(/^\s*€|€\s*$/g, '').trim()
  const ambiguous = /^([1-9]\d{0,2})[.,](\d{3})$/.exec(text)
  if (ambiguous) {
    const [, whole = '', rest = ''] = ambiguous
    return {
      problem: `“${text}” has two meanings: please type ${whole}${rest} or ${Number(`${whole}.${rest}`).toFixed(2)}`,
    }
  }
  const [, whole = '', separator, decimals = ''] = /^(.*?)(?:([.,])(\d{1,2}))?$/s.exec(text) ?? []
  // Thousands are in groups of three, by a sign that is not the one before the decimals.
  const isWhole = /^\d*$/.test(whole) || groups.some(([sign, grouped]) => sign !== separator && grouped.test(whole))
  if (!isWhole || !/\d/.test(text)) return unreadable
  const cents = Number(`${whole.replace(/\D/g, '')}${decimals.padEnd(2, '0')}`)
  return Number.isSafeInteger(cents) ? { euros: cents / 100 } : unreadable
}

const groups: [sign: string, whole: RegExp][] = [
  ['.', /^[1-9]\d{0,2}(\.\d{3})+$/],
  [',', /^[1-9]\d{0,2}(,\d{3})+$/],
  [' ', /^[1-9]\d{0,2}(\s\d{3})+$/],
  ["'", /^[1-9]\d{0,2}(['’]\d{3})+$/],
]

/** As `parseAmount`, of an amount within a range in euros. */
export function amountWithin(typed: string, { min, max }: { min: number; max: number }): Amount {
  const amount = parseAmount(typed)
  if ('problem' in amount) return amount
  if (amount.euros < min) return { problem: `At least ${formatPrice(min)}` }
  if (amount.euros > max) return { problem: `At most ${formatPrice(max)}` }
  return amount
}
