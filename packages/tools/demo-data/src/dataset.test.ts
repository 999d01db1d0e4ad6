import { describe, expect, test } from 'vitest'
import { demoDataset } from './dataset.ts'
import { CATEGORIES } from './works/works.ts'

const { creators, collectors, works } = demoDataset()

describe('the demo dataset', () => {
  test('has 240 works by at least 24 creators, and three collectors', () => {
    expect(works).toHaveLength(240)
    expect(creators.length).toBeGreaterThanOrEqual(24)
    expect(collectors).toHaveLength(3)
  })

  test('is the same on each call', () => {
    expect(demoDataset()).toEqual({ creators, collectors, works })
  })

  test('has every category, each with at least two series', () => {
    for (const category of CATEGORIES) {
      const inIt = works.filter((work) => work.category === category)
      expect(inIt.length).toBeGreaterThanOrEqual(24)
      expect(new Set(inIt.map(({ picture }) => picture.replace(/-\d+$/, ''))).size).toBeGreaterThanOrEqual(2)
    }
  })

  test('keeps a fifth of the works off sale, in every category and on every page of twenty', () => {
    expect(works.filter((work) => !work.forSale)).toHaveLength(48)
    for (const category of CATEGORIES)
      expect(works.some((work) => work.category === category && !work.forSale)).toBe(true)
    for (let i = 0; i < 240; i += 20) expect(works.slice(i, i + 20).filter((work) => !work.forSale)).toHaveLength(4)
  })

  test('has no picture, title or text twice', () => {
    expect(new Set(works.map((work) => work.title)).size).toBe(240)
    expect(new Set(works.map((work) => work.text)).size).toBe(240)
    expect(new Set(works.map((work) => work.picture)).size).toBe(240)
  })

  test('has prices in whole cents between 5 and 2500 euros', () => {
    const prices = works.map((work) => work.priceCents)
    expect(prices.every(Number.isInteger)).toBe(true)
    expect(Math.min(...prices)).toBe(500)
    expect(Math.max(...prices)).toBe(250_000)
    expect(new Set(prices).size).toBeGreaterThan(20)
  })

  test('has several works of every creator, and a creator for every work', () => {
    for (const { username } of creators)
      expect(works.filter((work) => work.creator === username).length).toBeGreaterThanOrEqual(2)
    const names = new Set(creators.map((creator) => creator.username))
    expect(works.filter((work) => !names.has(work.creator))).toEqual([])
  })

  test('has names that sign-up accepts: unique, no "@", short', () => {
    const people = [...creators, ...collectors]
    expect(new Set(people.map((person) => person.username)).size).toBe(people.length)
    for (const person of people) {
      expect(person.username).toMatch(/^[A-Za-z0-9_.-]{3,29}$/)
      expect(person.lastName).not.toBe('')
      expect(person.description.length).toBeLessThanOrEqual(160)
    }
  })

  test('has all categories and several creators even with a dozen works', () => {
    const small = demoDataset({ works: 12 })
    expect(small.works).toHaveLength(12)
    expect(new Set(small.works.map((work) => work.category)).size).toBe(CATEGORIES.length)
    expect(small.works.some((work) => !work.forSale)).toBe(true)
    expect(small.creators.length).toBeGreaterThanOrEqual(8)
    expect(small.works).toEqual(works.slice(0, 12))
  })
})
