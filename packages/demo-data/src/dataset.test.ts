import { describe, expect, test } from 'vitest'
import { exhibition } from './dataset.ts'
import { CATEGORIES } from './works/works.ts'

const { creators, collectors, works } = exhibition()

describe('the demo exhibition', () => {
  test('shows 240 works by at least 24 creators to three collectors', () => {
    expect(works).toHaveLength(240)
    expect(creators.length).toBeGreaterThanOrEqual(24)
    expect(collectors).toHaveLength(3)
  })

  test('is the same each time it is asked for', () => {
    expect(exhibition()).toEqual({ creators, collectors, works })
  })

  test('has every category, each with at least two families of pictures', () => {
    for (const category of CATEGORIES) {
      const inIt = works.filter((work) => work.category === category)
      expect(inIt.length).toBeGreaterThanOrEqual(24)
      expect(new Set(inIt.map((work) => work.family)).size).toBeGreaterThanOrEqual(2)
    }
  })

  test('keeps a fifth of the works off sale, in every category and on every wall of twenty', () => {
    expect(works.filter((work) => !work.forSale)).toHaveLength(48)
    for (const category of CATEGORIES)
      expect(works.some((work) => work.category === category && !work.forSale)).toBe(true)
    for (let i = 0; i < 240; i += 20) expect(works.slice(i, i + 20).filter((work) => !work.forSale)).toHaveLength(4)
  })

  test('never hangs the same picture, title or text twice', () => {
    expect(new Set(works.map((work) => work.title)).size).toBe(240)
    expect(new Set(works.map((work) => work.text)).size).toBe(240)
    expect(new Set(works.map((work) => `${work.family} ${work.seed}`)).size).toBe(240)
  })

  test('asks whole cents between 5 and 2500 euros', () => {
    const prices = works.map((work) => work.priceCents)
    expect(prices.every(Number.isInteger)).toBe(true)
    expect(Math.min(...prices)).toBe(500)
    expect(Math.max(...prices)).toBe(250_000)
    expect(new Set(prices).size).toBeGreaterThan(20)
  })

  test('gives every creator several works, and every work a creator who is there', () => {
    for (const { username } of creators)
      expect(works.filter((work) => work.creator === username).length).toBeGreaterThanOrEqual(2)
    const names = new Set(creators.map((creator) => creator.username))
    expect(works.filter((work) => !names.has(work.creator))).toEqual([])
  })

  test('names people as sign-up wants them: unique, no "@", short', () => {
    const people = [...creators, ...collectors]
    expect(new Set(people.map((person) => person.username)).size).toBe(people.length)
    for (const person of people) {
      expect(person.username).toMatch(/^[A-Za-z0-9_.-]{3,29}$/)
      expect(person.lastName).not.toBe('')
      expect(person.description.length).toBeLessThanOrEqual(160)
    }
  })

  test('can be as small as a dozen works and still have all categories and several creators', () => {
    const small = exhibition({ works: 12 })
    expect(small.works).toHaveLength(12)
    expect(new Set(small.works.map((work) => work.category)).size).toBe(CATEGORIES.length)
    expect(small.works.some((work) => !work.forSale)).toBe(true)
    expect(small.creators.length).toBeGreaterThanOrEqual(8)
    expect(small.works).toEqual(works.slice(0, 12))
  })
})
