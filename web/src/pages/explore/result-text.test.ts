import { expect, test } from 'vitest'
import { resultText } from './result-text.ts'

const none = { search: '', category: '', buyOption: '', page: 1 }

test.each([
  [none, 240, false, '240 works'],
  [{ ...none, search: 'dusk' }, 1, false, '1 work for “dusk”'],
  [{ ...none, search: 'dusk', category: 'Cyber', color: 'blue' }, 0, false, '0 works for “dusk”, Cyber, Blue'],
  [{ ...none, sort: 'price_asc' }, 10_000, false, '10,000 or more works'],
  [none, 500, false, '500 works'],
  [{ ...none, search: 'dusk' }, 500, false, '500 or more works for “dusk”'],
  [{ ...none, search: 'Mosiac' }, 2, true, 'Nothing is called “Mosiac”. 2 works with similar words.'],
  [{ ...none, buyOption: 'auctions' }, 0, false, 'No work is on auction right now.'],
  [{ ...none, buyOption: 'auctions' }, 3, false, '3 works, On auction'],
  [{ ...none, buyOption: 'offers' }, 0, false, 'No owner takes offers right now.'],
  [{ ...none, buyOption: 'offers' }, 2, false, '2 works, Takes offers'],
  [{ ...none, buyOption: 'offers', color: 'blue' }, 0, false, '0 works, Takes offers, Blue'],
])('%j with %d hits (similar: %s) reads "%s"', (filters, total, similar, text) => {
  expect(resultText({ filters, total, similar })).toBe(text)
})

test.each(['offers', 'auctions'])('where the operator has turned %s off there are none', (buyOption) => {
  const filters = { ...none, buyOption }
  const text = resultText({ filters, total: 0, similar: false, offers: false, auctions: false })
  expect(text).toBe(`There are no ${buyOption} yet. Works for sale have a fixed price: choose Buy Now.`)
})
