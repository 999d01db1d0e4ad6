import { randomUUID } from 'node:crypto'
import { listPayouts, recordPayout } from '@nifty/api/payments/ops-money'
import { type Command, UsageError } from './command.ts'
import { csv, euros } from './format.ts'

export const payoutCommands: Record<string, Command> = {
  payouts: {
    usage: '',
    about: 'prints what each account is owed, as CSV: due now, waiting, held back; and where to pay a deleted account',
    run: async (store) => {
      const { due } = await store.payments(listPayouts)
      return csv([
        ['user_id', 'username', 'entries', 'due_eur', 'waiting_eur', 'held_back_eur', 'deleted_name', 'deleted_email'],
        ...due.map(({ userId, username, entries, due: amount, waiting, heldBack, payee }) => [
          ...[userId, username ?? '', String(entries), amount.toFixed(2), waiting.toFixed(2), heldBack.toFixed(2)],
          ...[payee?.firstName ?? '', payee?.email ?? ''],
        ]),
      ])
    },
  },
  'record-payout': {
    usage: '<user id> <amount in euros> [payout id]',
    about: 'records that everything due to an account was paid; the same payout id is recorded once',
    changes: 'audited',
    run: async (store, args, action) => {
      const userId = args[0]!
      const amount = Number(args[1]!)
      if (!(amount > 0)) throw new UsageError(`${args[1]} is not an amount in euros, such as 288.00`)
      const payoutId = args[2] ?? randomUUID()
      await store.payments(recordPayout, { body: { payoutId, userId, amount, ...action } })
      return `Recorded: ${euros(amount)} paid to ${userId} (payout ${payoutId}).`
    },
  },
}
