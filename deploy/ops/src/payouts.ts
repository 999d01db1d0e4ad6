import { randomUUID } from 'node:crypto'
import { listPayouts, recordPayout } from '@nifty/api/payments/ops'
import { type Command, euros } from './command.ts'

export const payoutCommands: Record<string, Command> = {
  payouts: {
    usage: '',
    about: 'what each creator is owed, as CSV',
    run: async (store) => {
      const { due } = await store.payments(listPayouts)
      return [
        'user_id,username,entries,due_eur',
        ...due.map(({ userId, username, entries, due: amount }) =>
          [userId, username ?? '', entries, amount.toFixed(2)].join(','),
        ),
      ].join('\n')
    },
  },
  'pay-out': {
    usage: '<user id> <amount in euros> [payout id]',
    about: 'notes that this creator was paid; the same payout id notes it once',
    changes: 'signed',
    run: async (store, args, signature) => {
      const userId = args[0]!
      const amount = Number(args[1]!)
      if (!(amount > 0)) throw new Error(`${args[1]} is no amount in euros, as in 288.00`)
      const payoutId = args[2] ?? randomUUID()
      await store.payments(recordPayout, { body: { payoutId, userId, amount, ...signature } })
      return `Noted: ${euros(amount)} paid to ${userId} (payout ${payoutId}).`
    },
  },
}
