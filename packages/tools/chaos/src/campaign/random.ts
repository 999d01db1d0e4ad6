/** Numbers that are the same for the same seed, so that an experiment can be repeated. */
export type Random = {
  /** 0 ≤ x < 1 */
  unit: () => number
  chance: (probability: number) => boolean
  /** An integer, both limits included. */
  between: (least: number, most: number) => number
  pick: <Value>(list: readonly Value[]) => Value
}

/** The Mulberry32 generator, seeded by the FNV-1a hash of a text. */
export function createRandom(seed: string): Random {
  let state = hash(seed)
  const unit = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const between = (least: number, most: number) => least + Math.floor(unit() * (most - least + 1))
  return {
    unit,
    chance: (probability) => unit() < probability,
    between,
    pick: (list) => list[between(0, list.length - 1)]!,
  }
}

function hash(text: string): number {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return h
}
