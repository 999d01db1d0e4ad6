import { activeFilters, type Filters, isUnsupported, type SaleSettings } from './filters.ts'

/** What the market counts at most: works, hits of a search. */
const COUNTED = { works: 10_000, hits: 500 }
const whole = new Intl.NumberFormat('en-GB')

type Result = { filters: Filters; total: number; similar: boolean } & SaleSettings

/** Without any other filter, when no work is found. */
const noneOfSale: Record<string, string> = {
  auctions: 'No work is on auction right now.',
  offers: 'No owner takes offers right now.',
}

/** What was searched and how many works were found. */
export function resultText({ filters, total, similar, offers, auctions }: Result): string {
  if (isUnsupported(filters.buyOption, { offers, auctions }))
    return `There are no ${filters.buyOption} yet. Works for sale have a fixed price: choose Buy Now.`
  const { search, ...others } = filters
  const none = noneOfSale[filters.buyOption]
  if (none && total === 0 && activeFilters(filters).length === 1) return none
  const counted = search ? COUNTED.hits : COUNTED.works
  const works = total >= counted ? `${whole.format(counted)} or more works` : count(total)
  const labels = activeFilters({ ...others, search: '', sort: undefined }).map(({ label }) => label)
  const chosen = labels.length > 0 ? `, ${labels.join(', ')}` : ''
  if (similar) return `Nothing is called “${search}”. ${works} with similar words${chosen}.`
  return `${works}${search ? ` for “${search}”` : ''}${chosen}`
}

const count = (total: number) => (total === 1 ? '1 work' : `${whole.format(total)} works`)
