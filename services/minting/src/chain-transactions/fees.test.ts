import { expect, test } from 'vitest'
import { bump, capOf, firstFees, isPricedOut } from './fees.ts'

const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas })

test('a replacement pays at least an eighth more of both fees, rounded up', () => {
  for (const fee of [1n, 7n, 8n, 999n, 1_500_000_001n]) {
    const raised = bump(fees(fee, fee), fees(0n, 0n), 10n ** 18n)!
    expect(raised.maxFeePerGas * 8n).toBeGreaterThanOrEqual(fee * 9n)
    expect(raised.maxPriorityFeePerGas * 8n).toBeGreaterThanOrEqual(fee * 9n)
  }
})

test('a replacement pays the current fees when they are higher', () => {
  expect(bump(fees(100n, 10n), fees(500n, 30n), 1000n)).toEqual(fees(500n, 30n))
})

test('fees stay at or below the cap, and there is no replacement when the raise exceeds it', () => {
  expect(bump(fees(100n, 10n), fees(5000n, 10n), 1000n)).toEqual(fees(1000n, 12n))
  expect(bump(fees(900n, 10n), fees(5000n, 10n), 1000n)).toBeUndefined()
  expect(bump(fees(100n, 10n), fees(500n, 2000n), 1000n)).toBeUndefined()
  expect(firstFees({ baseFee: 900n, ...fees(5000n, 2000n) }, 1000n)).toEqual(fees(1000n, 1000n))
})

test('nothing is signed while the base fee is above the cap, and a cancellation may pay ten times the cap', () => {
  expect(firstFees({ baseFee: 1000n, ...fees(2030n, 30n) }, 1000n)).toEqual(fees(1000n, 30n))
  expect(firstFees({ baseFee: 1001n, ...fees(2030n, 30n) }, 1000n)).toBeUndefined()
  expect([capOf('call', 1000n), capOf('cancel', 1000n)]).toEqual([1000n, 10_000n])
})

test('a transaction is priced out when base fee and tip exceed its maximum fee', () => {
  expect(isPricedOut(fees(100n, 10n), { baseFee: 90n })).toBe(false)
  expect(isPricedOut(fees(100n, 10n), { baseFee: 91n })).toBe(true)
})
