import { categories } from '@nifty/api/categories'
import { colorNames, marketSorts, orientations } from '@nifty/api/market-filters'
import { expect, test } from 'vitest'
import {
  activeFilters,
  categoryOptions,
  filtersFrom,
  filtersTo,
  isUnsupported,
  itemsOptions,
  marketQueryOf,
  type SaleSettings,
  shapeOptions,
  sortOptions,
  titleOf,
} from './filters.ts'

test('the dropdowns offer every category of the API and every kind of sale', () => {
  expect(categoryOptions.map(({ label }) => label)).toEqual(['All', ...categories])
  expect(categoryOptions.map(({ value }) => value)).toEqual(['', ...categories])
  expect(itemsOptions).toEqual([
    { label: 'All', value: '' },
    { label: 'Buy Now', value: 'true' },
    { label: 'Auctions', value: 'auctions' },
    { label: 'Offers', value: 'offers' },
  ])
})

test('a URL keeps every filter that is set, and no other', () => {
  const filters = { search: 'blue heron', category: 'Animals', buyOption: 'true', page: 3 }
  expect(filtersFrom(filtersTo(filters))).toEqual(filters)
  expect(filtersTo({ search: '', category: '', buyOption: '', page: 1 }).toString()).toBe('')
})

test('spaces around a search are no part of it', () => {
  expect(filtersFrom(new URLSearchParams('search=%20%20dusk%20&page=2'))).toMatchObject({ search: 'dusk', page: 2 })
  const cut = filtersFrom(new URLSearchParams({ search: `${'x'.repeat(99)} ${'y'.repeat(9)}` })).search
  expect(cut).toBe('x'.repeat(99))
})

test('a URL with unknown filter values is the first page without filters', () => {
  const invalid = new URLSearchParams('category=Gold&items=free&page=-2')
  expect(filtersFrom(invalid)).toEqual({ search: '', category: '', buyOption: '', page: 1 })
  expect(filtersFrom(new URLSearchParams('page=1.5')).page).toBe(1)
})

test('auctions and offers are not supported where the operator has turned them off', () => {
  const unsupported = (settings: SaleSettings) =>
    itemsOptions.filter(({ value }) => isUnsupported(value, settings)).map(({ label }) => label)
  expect(unsupported({ auctions: true, offers: true })).toEqual([])
  expect(unsupported({})).toEqual([])
  expect(unsupported({ auctions: false, offers: true })).toEqual(['Auctions'])
  expect(unsupported({ auctions: true, offers: false })).toEqual(['Offers'])
})

const refined = {
  search: 'dusk',
  category: 'Cyber',
  buyOption: 'true',
  page: 2,
  sort: 'price_asc',
  minPrice: '10',
  maxPrice: '99.50',
  color: 'blue',
  orientation: 'square',
  creator: '@ada',
}

test('sort and shape offer every value of the API', () => {
  expect(sortOptions.map(({ value }) => value)).toEqual([...marketSorts])
  expect(shapeOptions.map(({ value }) => value)).toEqual(['', ...orientations])
})

test('a URL keeps price range, colour, shape, artist and order', () => {
  expect(filtersFrom(filtersTo(refined))).toEqual(refined)
  for (const color of colorNames) expect(filtersFrom(new URLSearchParams({ color })).color).toBe(color)
  const invalid = 'sort=best&minPrice=-1&maxPrice=1e3&color=gold&orientation=round&creator=@'
  expect(filtersFrom(new URLSearchParams(invalid))).toEqual({ search: '', category: '', buyOption: '', page: 1 })
  expect(filtersFrom(new URLSearchParams('minPrice=20&maxPrice=10'))).toMatchObject({ minPrice: '20' })
  expect(filtersFrom(new URLSearchParams('minPrice=20&maxPrice=10')).maxPrice).toBeUndefined()
})

test('the request has the parameters of the API', () => {
  const { page: _, buyOption: __, ...rest } = refined
  expect(marketQueryOf(refined)).toEqual({ ...rest, buyOption: 'now' })
  expect(marketQueryOf({ search: '', category: '', buyOption: 'auctions', page: 1 })).toMatchObject({
    buyOption: undefined,
    sale: 'auctions',
  })
  expect(marketQueryOf({ search: '', category: '', buyOption: 'offers', page: 1 })).toMatchObject({
    buyOption: undefined,
    sale: 'offers',
  })
})

test('works for sale come first, unless a search ranks them or an order is chosen', () => {
  const all = { search: '', category: '', buyOption: '', page: 1 }
  expect(marketQueryOf(all).sort).toBe('for_sale')
  expect(marketQueryOf({ ...all, sort: 'newest' }).sort).toBe('newest')
  expect(marketQueryOf({ ...all, search: 'dusk' }).sort).toBeUndefined()
})

test('the auction that ends first comes first, unless an order is chosen', () => {
  const auctions = { search: '', category: '', buyOption: 'auctions', page: 1 }
  expect(marketQueryOf(auctions).sort).toBeUndefined()
  expect(marketQueryOf({ ...auctions, sort: 'newest' }).sort).toBe('newest')
})

test('the title and the active filters say what is shown', () => {
  const labels = ['“dusk”', 'Cyber', 'For sale', 'By @ada', 'Blue', 'Square', '10\u00a0€ to 99.50\u00a0€']
  expect(activeFilters(refined).map(({ label }) => label)).toEqual([...labels, 'Price: low to high'])
  expect(titleOf(refined, 'Explore Items')).toBe(`${labels.join(', ')}, Price: low to high, page 2 – Explore Items`)
  const none = { search: '', category: '', buyOption: '', page: 1 }
  expect(titleOf(none, 'Explore Items')).toBe('Explore Items')
  expect(activeFilters({ ...none, minPrice: '5' }).map(({ label }) => label)).toEqual(['From 5\u00a0€'])
})

test('removing every active filter leaves none', () => {
  const left = Object.assign({ ...refined, page: 1 }, ...activeFilters(refined).map(({ without }) => without))
  expect(filtersTo(left).toString()).toBe('')
})
