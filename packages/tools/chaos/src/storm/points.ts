import type { Program } from '@nifty/api/services'

/** A place in a program, before or after an effect. `rare`: passed only by some kinds of purchases. */
export type Point = { program: Program; name: string; rare: boolean }

const names: Partial<Record<Program, { often: string[]; rarely?: string[] }>> = {
  payments: {
    often: [
      'commit orders',
      'commit line',
      'insert stripe_inbox',
      'call catalog',
      'processor open session',
      'processor capture',
      'publish',
      'update outbox',
      'commit offsets',
    ],
    rarely: ['commit inbox', 'call minting', 'processor expire session', 'processor cancel hold'],
  },
  minting: {
    often: [
      'commit delivery',
      'commit token',
      'update chain_transaction',
      'commit chain_transaction',
      'commit chain_cursor',
      'broadcast',
      'publish',
      'update outbox',
      'commit offsets',
    ],
  },
  catalog: {
    often: ['commit item', 'commit reservation', 'call minting', 'publish', 'update outbox', 'commit offsets'],
    rarely: ['commit auction', 'commit bid'],
  },
  auth: { often: [], rarely: ['commit account', 'publish', 'update outbox'] },
  notification: { often: ['commit mail', 'commit open_line', 'send mail', 'commit offsets'] },
}

const bothEnds = (program: Program, list: string[], rare: boolean): Point[] =>
  list.flatMap((name) => ['before', 'after'].map((when) => ({ program, name: `${name}, ${when}`, rare })))

/** The points at which processes are killed. */
export const points: Point[] = (Object.keys(names) as Program[]).flatMap((program) => {
  const { often, rarely = [] } = names[program]!
  return [...bothEnds(program, often, false), ...bothEnds(program, rarely, true)]
})
