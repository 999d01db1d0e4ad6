import { localKey } from '@nifty/contracts/signing/local-key'
import { testLog } from '@nifty/service-kit/testing/log'
import { id } from 'ethers'
import { expect, test } from 'vitest'
import { watchKey } from './watched-key.ts'

const own = localKey(`0x${'1'.repeat(64)}`)

/** A key of a service that signs unless `refuses`, on a clock that the test moves. */
function givenKey() {
  const state = { refuses: false, requests: 0, now: 0 }
  const sign = async (digest: string) => {
    state.requests++
    if (state.refuses) throw new Error('AccessDenied')
    return own.sign(digest)
  }
  const key = watchKey({ address: own.address, isRemote: true, sign }, { log: testLog, now: () => state.now })
  return { state, key }
}

test('one signature in 30 seconds shows that a key can sign, and one failure in two seconds that it cannot', async () => {
  const { state, key } = givenKey()
  expect(await Promise.all([key.isAvailable(), key.isAvailable()])).toEqual([true, true])
  expect(state.requests).toBe(1)
  state.now = 29_999
  expect(await key.isAvailable()).toBe(true)
  expect(state.requests).toBe(1)

  state.now = 30_000
  state.refuses = true
  expect(await key.isAvailable()).toBe(false)
  state.refuses = false
  state.now = 31_999
  expect(await key.isAvailable()).toBe(false)
  state.now = 32_000
  expect(await key.isAvailable()).toBe(true)
  expect(state.requests).toBe(3)
})

test('a transaction that is not signed shows it too, and a key in this process is never asked', async () => {
  const { state, key } = givenKey()
  expect(await key.isAvailable()).toBe(true)
  state.refuses = true
  await expect(key.sign(id('a transaction'))).rejects.toThrow('AccessDenied')
  expect(await key.isAvailable()).toBe(false)
  expect(state.requests).toBe(2)

  const requests: string[] = []
  const sign = (digest: string) => {
    requests.push(digest)
    return own.sign(digest)
  }
  const local = watchKey({ ...own, sign }, { log: testLog, now: () => 0 })
  expect(await local.isAvailable()).toBe(true)
  expect(requests).toEqual([])
})
