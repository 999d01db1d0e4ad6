import { randomUUID } from 'node:crypto'
import { searchAccounts } from '@nifty/api/auth/account-search'
import { readAccounts } from '@nifty/api/auth/usernames'
import {
  listPayouts,
  listUnpaidShares,
  recordPayout,
  returnPayout,
  type UnpaidShares,
} from '@nifty/api/payments/ops-money'
import { payoutRows } from '@nifty/api/payments/payout-rows'
import { plural } from '@nifty/api/plural'
import { type Command, uuid } from './command.ts'
import { euros, exported, table } from './format.ts'
import { accountIdOf } from './lookup.ts'
import { type Store, UsageError } from './store.ts'

export const payoutCommands: Record<string, Command> = {
  payouts: {
    usage: '',
    about:
      'prints what each account is owed, as CSV: its e-mail address, due now, waiting, held back and why, suspended; and where to pay a deleted account',
    json: true,
    run: async (store) => {
      const { due } = await store.payments(listPayouts)
      const accounts = await readAccounts(
        (ids) => store.auth(searchAccounts, { body: { ids } }),
        due.map(({ userId }) => userId),
      )
      return exported(payoutRows(due, accounts))
    },
  },
  'payouts recorded': {
    usage: '',
    about: 'prints the newest 1,000 recorded payouts, as CSV',
    json: true,
    run: async (store) => {
      const { paid } = await store.payments(listPayouts)
      const rows = [
        ['payout_id', 'user_id', 'amount_eur', 'at', 'returned_at', 'operator', 'reason'],
        ...paid.map(({ payoutId, userId, amount, at, returnedAt, operator, reason }) => [
          payoutId,
          userId,
          amount.toFixed(2),
          at,
          returnedAt ?? '',
          operator,
          reason,
        ]),
      ]
      return exported(rows)
    },
  },
  'record-payout': {
    usage: '<account> <amount in euros> [payout id]',
    about: 'records that everything due to an account was paid; the same payout id is recorded once',
    changes: 'audited',
    run: async (store, args, action) => {
      const userId = await accountIdOf(store, args[0]!)
      const amount = amountOf(args[1]!)
      const payoutId = args[2] ?? randomUUID()
      await store.payments(recordPayout, { body: { payoutId, userId, amount, ...action } })
      return `Recorded: ${euros(amount)} paid to ${userId} (payout ${payoutId}).`
    },
  },
  'payout-returned': {
    usage: '<payout id>',
    about: 'records that the bank sent a payout back, or that it was recorded by mistake; what it paid is owed again',
    changes: 'audited',
    run: async (store, args, action) => {
      const { userId, amount } = await store.payments(returnPayout, { body: { payoutId: args[0]!, ...action } })
      return `Recorded: ${euros(amount)} came back, and are owed to ${userId} again.`
    },
  },
  'record-past-payout': {
    usage: '<account> [amount in euros] [line ids]',
    about:
      'records a payout that a restored database lost, with the lines that it paid (separated by commas); without them lists the unpaid ones',
    changes: 'audited',
    preview: async (store, [account, amount, lines]) => {
      const rows = (await unpaidShares(store, await accountIdOf(store, account!))).map(
        ({ lineId, name, amount, balance, status, dueAt }) => [
          lineId,
          name,
          euros(amount),
          euros(balance),
          status.replace('_', ' '),
          dueAt,
        ],
      )
      const text = table([['line', 'work', 'booked', 'balance now', 'status', 'due from'], ...rows])
      return { text, ok: true, changes: amount !== undefined && lines !== undefined }
    },
    run: async (store, [account, text, lines], action) => {
      const userId = await accountIdOf(store, account!)
      const lineIds = lines!.split(',')
      const wrong = lineIds.find((id) => !uuid.test(id))
      if (wrong !== undefined) throw new UsageError(`${wrong} is not a valid line id`)
      const body = { payoutId: randomUUID(), userId, amount: amountOf(text!), lineIds, ...action }
      await store.payments(recordPayout, { body })
      return `Recorded: ${euros(body.amount)} paid to ${userId} for ${plural(lineIds.length, 'line')}.`
    },
  },
}

async function unpaidShares(store: Store, userId: string): Promise<UnpaidShares['shares']> {
  const shares: UnpaidShares['shares'] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page: UnpaidShares = await store.payments(listUnpaidShares, { params: { userId }, query: { after } })
    shares.push(...page.shares)
    after = page.next
  }
  return shares
}

function amountOf(text: string): number {
  const amount = Number(text)
  if (!(amount > 0)) throw new UsageError(`${text} is not an amount in euros, such as 288.00`)
  return amount
}
