import { activeFilters, type Filters, isUnsupported } from './filters.ts'

/** The market counts up to here. */
const COUNTED = 10_000
const whole = new Intl.NumberFormat('en-GB')

type Result = { filters: Filters; total: number; similar: boolean }

/** What was searched and how many works were found. */
export function resultText({ filters, total, similar }: Result): string {
  if (isUnsupported(filters.buyOption))
    return `There are no ${filters.buyOption} yet. Works for sale have a fixed price: choose Buy Now.`
  const works = total >= COUNTED ? `${whole.format(COUNTED)} or more works` : count(total)
  const { search, ...others } = filters
  const labels = activeFilters({ ...others, search: '', sort: undefined }).map(({ label }) => label)
  const chosen = labels.length > 0 ? `, ${labels.join(', ')}` : ''
  if (similar) return `Nothing is called “${search}”. ${works} with similar words${chosen}.`
  return `${works}${search ? ` for “${search}”` : ''}${chosen}`
}

const count = (total: number) => (total === 1 ? '1 work' : `${whole.format(total)} works`)
