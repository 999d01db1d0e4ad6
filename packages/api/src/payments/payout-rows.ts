import type { Payouts } from './ops-money.ts'

/** What each account is owed and where it is reached, for a spreadsheet, under the names of its columns. */
export const payoutRows = (due: Payouts['due'], accounts: Map<string, { email: string }>): string[][] => [
  [
    'user_id',
    'username',
    'email',
    'entries',
    'due_eur',
    'waiting_eur',
    'held_back_eur',
    'held_back_because',
    'suspended',
    'deleted_name',
    'deleted_email',
  ],
  ...due.map(({ userId, username, entries, due: amount, waiting, heldBack, heldBecause, suspended, payee }) => [
    userId,
    // Without its "@", which a spreadsheet takes for a formula.
    username?.replace(/^@/, '') ?? '',
    accounts.get(userId)?.email ?? '',
    String(entries),
    amount.toFixed(2),
    waiting.toFixed(2),
    heldBack.toFixed(2),
    heldBecause.join(' '),
    suspended ? 'yes' : '',
    payee?.firstName ?? '',
    payee?.email ?? '',
  ]),
]
