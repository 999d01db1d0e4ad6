import type { Program } from '@nifty/local/cluster/cluster'

/** The points at which processes are killed, each before and after its effect. */
const names: Partial<Record<Program, string[]>> = {
  payments: [
    'commit orders',
    'commit line',
    'commit inbox',
    'insert stripe_inbox',
    'call catalog',
    'call minting',
    'processor open session',
    'processor expire session',
    'processor capture',
    'processor cancel hold',
    'publish',
    'update outbox',
    'commit offsets',
  ],
  minting: [
    'commit delivery',
    'commit token',
    'insert mint',
    'update chain_transaction',
    'commit chain_transaction',
    'commit chain_cursor',
    'broadcast',
    'publish',
    'update outbox',
    'commit offsets',
  ],
  catalog: ['commit item', 'commit reservation', 'call minting', 'publish', 'update outbox', 'commit offsets'],
  auth: ['commit account', 'publish', 'update outbox'],
  notification: ['commit mail', 'commit open_line', 'send mail', 'commit offsets'],
}

export type Point = { program: Program; name: string }

export const points: Point[] = Object.entries(names).flatMap(([program, list]) =>
  list.flatMap((name) =>
    ['before', 'after'].map((when) => ({ program: program as Program, name: `${name}, ${when}` })),
  ),
)
