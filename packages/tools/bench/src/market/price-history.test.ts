import { expect, test } from 'vitest'
import { createHistory } from './price-history.ts'

test('a price is as old as the time since the change that replaced it', () => {
  const history = createHistory()
  history.requested('a', 100)
  history.committed('a', 100, 1_000)
  history.requested('a', 101)
  history.committed('a', 101, 2_000)

  history.shown('a', 101, 2_500)
  expect(history.oldestMs()).toBe(0)
  history.shown('a', 100, 2_400)
  expect(history.oldestMs()).toBe(400)
  history.shown('a', 100, 2_300)
  expect(history.oldestMs()).toBe(400)
})

test('a price from before the first change is as old as the time since that change', () => {
  const history = createHistory()
  history.requested('a', 100)
  history.committed('a', 100, 1_000)
  history.shown('a', 55, 1_700)
  expect(history.oldestMs()).toBe(700)
  expect(history.compared()).toBe(0)
  history.shown('a', 100, 1_800)
  expect(history.compared()).toBe(1)
})

test('neither a change without a response nor one after the request makes an answer old', () => {
  const history = createHistory()
  history.requested('a', 100)
  history.shown('a', 55, 5_000)
  history.committed('a', 100, 6_000)
  history.shown('a', 55, 5_900)
  history.shown('b', 55, 9_000)
  expect(history.oldestMs()).toBe(0)
})
