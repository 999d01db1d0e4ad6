import { categories } from '@nifty/api/categories'
import { expect, test } from 'vitest'
import { categoryOptions, filtersFrom, filtersTo, isUnsupported, itemsOptions } from './filters.ts'

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

test('a URL with unknown filter values is the first page without filters', () => {
  const invalid = new URLSearchParams('category=Gold&items=free&page=-2')
  expect(filtersFrom(invalid)).toEqual({ search: '', category: '', buyOption: '', page: 1 })
  expect(filtersFrom(new URLSearchParams('page=1.5')).page).toBe(1)
})

test('auctions and offers are not supported', () => {
  expect(itemsOptions.filter(({ value }) => isUnsupported(value)).map(({ label }) => label)).toEqual([
    'Auctions',
    'Offers',
  ])
})
