import fc from 'fast-check'

/** Draws values from fast-check's arbitraries one by one; the same seed gives the same ones. */
export function createDraw(seed: number) {
  let draws = 0
  const draw = <Value>(arbitrary: fc.Arbitrary<Value>): Value =>
    fc.sample(arbitrary, { seed: mixed(seed, draws++), numRuns: 1 })[0]!
  const percentage = fc.noBias(fc.integer({ min: 0, max: 99 }))
  return {
    draw,
    pick: <Value>(values: readonly Value[]): Value => draw(fc.constantFrom(...values)),
    /** True in `percent` of all cases. */
    chance: (percent: number) => draw(percentage) < percent,
  }
}

export type Draw = ReturnType<typeof createDraw>

/** Neighbouring seeds would draw similar values: the last steps of MurmurHash3 spread them. */
function mixed(seed: number, draw: number) {
  let hash = Math.imul(seed, 0x9e3779b1) + draw
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
