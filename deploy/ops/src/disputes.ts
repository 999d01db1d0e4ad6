import { age } from '@nifty/api/age'
import { orderNumber } from '@nifty/api/order-number'
import { allowBuyer, clearDispute, listDisputes } from '@nifty/api/payments/disputes'
import { plural } from '@nifty/api/plural'
import type { Command } from './command.ts'
import { euros, table } from './format.ts'
import { accountIdOf } from './lookup.ts'

export const disputeCommands: Record<string, Command> = {
  disputes: {
    usage: '',
    about:
      'lists disputes, inquiries and early fraud warnings that are not decided, with the end of the time for evidence',
    json: true,
    run: async (store) => {
      const { disputes } = await store.payments(listDisputes)
      if (disputes.length === 0) return { text: 'No dispute and no warning is open.', ok: true, json: disputes }
      const rows = disputes.map(({ id, kind, status, reason, amount, orderId, since, dueBy, cleared }) => [
        id,
        kind === 'fraud_warning' ? 'fraud warning' : status,
        reason ?? '',
        amount === null ? '' : euros(amount),
        orderNumber(orderId),
        age(since),
        dueBy ?? '',
        cleared ? 'free' : 'held',
      ])
      const text = table([
        ['id', 'status', 'reason', 'amount', 'order', 'age', 'evidence until', 'works and shares'],
        ...rows,
      ])
      return { text, ok: true, json: disputes }
    },
  },
  'clear-dispute': {
    usage: '<dispute or warning>',
    about: 'frees the works and shares that a dispute, inquiry or fraud warning holds, until it reaches its next stage',
    changes: 'audited',
    run: async (store, args, action) => {
      const { kind, status } = await store.payments(clearDispute, { body: { reversalId: args[0]!, ...action } })
      return `The ${kind === 'fraud_warning' ? 'fraud warning' : `dispute (${status})`} holds nothing any more.`
    },
  },
  'allow-buyer': {
    usage: '<account>',
    about: 'lets an account buy again after it lost a dispute',
    changes: 'audited',
    run: async (store, args, action) => {
      const { disputes } = await store.payments(allowBuyer, {
        body: { userId: await accountIdOf(store, args[0]!), ...action },
      })
      return disputes > 0
        ? `The account may buy again, after ${plural(disputes, 'lost dispute')}.`
        : 'It may buy already.'
    },
  },
}
