import { expect, test } from 'vitest'
import { categoryOptions, filtersFrom, filtersTo, isOfferless, itemsOptions } from './filters.ts'

test('the dropdowns offer exactly what the store knows', () => {
  expect(categoryOptions.map(({ label }) => label)).toEqual([
    'All',
    'Art',
    'Moto',
    'Animals',
    'Robots',
    'Cube',
    'Tube',
    'Cyber',
    'Anime',
  ])
  expect(itemsOptions).toEqual([
    { label: 'All', value: '' },
    { label: 'Buy Now', value: 'true' },
    { label: 'Auctions', value: 'auctions' },
    { label: 'Offers', value: 'offers' },
  ])
})

test('an address keeps every filter, and only those that are set', () => {
  const filters = { search: 'blue heron', category: 'Animals', buyOption: 'true', page: 3 }
  expect(filtersFrom(filtersTo(filters))).toEqual(filters)
  expect(filtersTo({ search: '', category: '', buyOption: '', page: 1 }).toString()).toBe('')
})

test('an address that somebody made up shows the first page of everything', () => {
  const made = new URLSearchParams('category=Gold&items=free&page=-2')
  expect(filtersFrom(made)).toEqual({ search: '', category: '', buyOption: '', page: 1 })
  expect(filtersFrom(new URLSearchParams('page=1.5')).page).toBe(1)
})

test('nothing is on auction and nothing takes offers', () => {
  expect(itemsOptions.filter(({ value }) => isOfferless(value)).map(({ label }) => label)).toEqual([
    'Auctions',
    'Offers',
  ])
})
