import { acceptOrder, assignReversal, type BothSides, compareOrder } from '@nifty/api/payments/ops-money'
import { type Command, uuid } from './command.ts'
import { euros, table } from './format.ts'
import { orderIdOf } from './lookup.ts'
import { type Store, UsageError } from './store.ts'

const read = (store: Store, orderId: string) => store.payments(compareOrder, { params: { id: orderId } })

/** What an operator decides about money that moved at the processor. */
export const processorSideCommands: Record<string, Command> = {
  accept: {
    usage: '<order>',
    about:
      'records what was captured, refunded or cancelled by hand at the processor; without --yes only shows both sides',
    changes: 'audited',
    preview: async (store, args) => {
      const sides = await read(store, await orderIdOf(store, args[0]!))
      return { text: printed(sides), ok: !sides.isDeliveryOpen, changes: sides.effects.length > 0 }
    },
    run: async (store, args, action) => {
      const orderId = await orderIdOf(store, args[0]!)
      const { processor, effects } = await read(store, orderId)
      if (effects.length === 0) return 'Both sides agree.'
      return printed(await store.payments(acceptOrder, { body: { orderId, seen: processor, ...action } }))
    },
  },
  assign: {
    usage: '<refund or dispute> <platform or seller> [line ids]',
    about:
      'decides who bears a refund or dispute, and names its lines (separated by commas) if it is a part of an order',
    changes: 'audited',
    run: async (store, args, action) => {
      const [reversalId, borneBy, lineIds] = args
      if (borneBy !== 'platform' && borneBy !== 'seller')
        throw new UsageError(`${borneBy} is neither platform nor seller`)
      const lines = lineIds ? { lineIds: lineIds.split(',') } : {}
      const wrong = lines.lineIds?.find((id) => !uuid.test(id))
      if (wrong !== undefined) throw new UsageError(`${wrong} is not a valid line id`)
      const assigned = await store.payments(assignReversal, {
        body: { reversalId: reversalId!, borneBy, ...lines, ...action },
      })
      const { kind, withdrawn, ambiguous } = assigned
      const open = ambiguous ? ' It is a part of several lines: payouts wait until its lines are named.' : ''
      const effect = borneBy === 'platform' ? 'their shares are paid' : 'the shares of seller and artist are reversed'
      return `The ${borneBy} bears the ${kind} of ${euros(withdrawn)}: ${effect}.${open}`
    },
  },
}

function printed({ store, processor, isDeliveryOpen, effects }: BothSides): string {
  const cents = (amount: number) => euros(amount / 100)
  const isUndecided = store.lines.some(({ state }) => state === 'held')
  const waitsFor = isUndecided
    ? 'an offer is not over. Its work stays reserved if it was accepted. End it with `pnpm ops cancel-order`, then repeat this.'
    : 'a delivery is under way. Repeat this when its line is delivered.'
  const conclusion = isDeliveryOpen ? `They differ, and nothing can be accepted yet: ${waitsFor}` : 'Both sides agree.'
  return [
    table([
      ['money', 'store', 'processor'],
      ['state', store.money, processor.status],
      ['held', cents(store.heldCents), cents(processor.heldCents)],
      ['captured', cents(store.capturedCents), cents(processor.capturedCents)],
      ['refunded', cents(store.refundedCents), cents(processor.refundedCents)],
      ['disputed', cents(store.disputedCents), cents(processor.disputedCents)],
    ]),
    table(store.lines.map(({ _id, name, state, priceCents }) => [_id, name ?? '', state, cents(priceCents)])),
    effects.length > 0 ? effects.map((effect) => `Accepting this ${effect}.`).join('\n') : conclusion,
  ].join('\n\n')
}
