/** A pseudo-random stream that is the same for the same seed on every machine. */
export type Random = {
  /** 0 ≤ x < 1 */
  unit(): number
  between(low: number, high: number): number
  /** A whole number, both bounds included. */
  whole(low: number, high: number): number
  /** Mean 0, most of it within ±1. */
  bell(): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** The list item for the number of the work in its series, so that consecutive works differ. */
  inTurn<T>(list: readonly T[]): T
  shuffled<T>(list: readonly T[]): T[]
}

/** The seed is text, e.g. the name of a family and the number of a work. */
export function createRandom(seed: string, number = 0): Random {
  let state = hash(seed)
  const unit = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const between = (low: number, high: number) => low + (high - low) * unit()
  const whole = (low: number, high: number) => low + Math.floor(unit() * (high - low + 1))
  const shuffled = <T>(list: readonly T[]) => {
    const copy = [...list]
    for (let i = copy.length - 1; i > 0; i--) {
      const j = whole(0, i)
      const held = copy[i]!
      copy[i] = copy[j]!
      copy[j] = held
    }
    return copy
  }
  return {
    unit,
    between,
    whole,
    shuffled,
    bell: () => (unit() + unit() + unit() + unit() - 2) * 1.1,
    chance: (probability) => unit() < probability,
    inTurn: (list) => list[number % list.length]!,
    pick: (list) => list[whole(0, list.length - 1)]!,
  }
}

function hash(text: string): number {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return h
}
