import { type Explored, explore } from '../search/explore.ts'
import { isOver, violationsOf } from './invariants.ts'
import { movesOf } from './moves.ts'
import { type Interference, keyOf, startWith } from './state.ts'
import type { Variant } from './variants.ts'

export const exploreAuction = (variant: Variant, bids: 2 | 3, interference: Interference): Explored =>
  explore({
    start: startWith(bids, interference),
    moves: (state) => movesOf(state, variant),
    violations: violationsOf,
    isOver,
    keyOf,
  })
