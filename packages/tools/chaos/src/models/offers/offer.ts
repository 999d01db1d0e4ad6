import { type Explored, explore } from '../search/explore.ts'
import { isOver, violationsOf } from './invariants.ts'
import { movesOf } from './moves.ts'
import { type Interference, keyOf, startWith } from './state.ts'
import type { Variant } from './variants.ts'

export const exploreOffers = (variant: Variant, offers: number, interference: Interference): Explored =>
  explore({
    start: startWith(offers, interference),
    moves: (state) => movesOf(state, variant),
    violations: violationsOf,
    isOver,
    keyOf,
  })
