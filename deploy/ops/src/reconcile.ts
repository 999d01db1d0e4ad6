import { setTimeout as sleep } from 'node:timers/promises'
import { listDeliveredTokens } from '@nifty/api/minting/ops'
import { getReconciliation, listDeliveredLines, recordReconciliation } from '@nifty/api/payments/ops'
import type { Command } from './command.ts'
import { euros, table } from './format.ts'
import type { Store } from './store.ts'

/** A delivery may be final in minting while its event is in transit to payments: such differences are checked again. */
const RECHECK_AFTER_MS = 3_000
const CHECKS = 5

export const reconcileCommand: Command = {
  usage: '',
  about: 'compares books, card processor and chain, to the cent and to the token; exit code 1 when they differ',
  run: async (store) => {
    const { balanced, ours, processor, differences } = await store.payments(getReconciliation)
    const tokens = await compareTokens(store)
    const cents = (amount: number) => euros(amount / 100)
    const rows = (['heldCents', 'capturedCents', 'releasedCents', 'inFlightCents'] as const).map((name) => [
      { heldCents: 'held', capturedCents: 'captured', releasedCents: 'released', inFlightCents: 'in flight' }[name],
      cents(ours[name]),
      cents(processor[name]),
    ])
    const found = [
      ...differences.map(({ orderId, intentId, what }) => `MONEY ${subject(orderId, intentId)}: ${what}`),
      ...tokens.differences,
    ]
    const ok = balanced && found.length === 0
    await store.payments(recordReconciliation, { body: { differences: ok ? 0 : Math.max(1, found.length) } })
    return {
      text: [
        table([['money', 'store', 'processor'], ...rows]),
        '',
        table([
          ['tokens', 'store', 'chain'],
          ['delivered', tokens.inBooks, tokens.onChain],
        ]),
        '',
        ...found,
        ok ? 'Balanced.' : 'NOT BALANCED',
      ].join('\n'),
      ok,
    }
  },
}

const subject = (orderId: string | null, intentId: string | null) =>
  [orderId && `order ${orderId}`, intentId && `payment ${intentId}`].filter(Boolean).join(', ') || 'all books'

async function compareTokens(store: Store) {
  for (let check = 1; ; check++) {
    const found = await compareTokensOnce(store)
    if (found.transient.length === 0 || check === CHECKS)
      return { ...found, differences: [...found.transient, ...found.permanent] }
    await sleep(RECHECK_AFTER_MS)
  }
}

async function compareTokensOnce(store: Store) {
  const { final, unexpectedDeliveries, unknownTokens } = await store.minting(listDeliveredTokens)
  const { lineIds } = await store.payments(listDeliveredLines)
  const [onChain, inBooks] = [new Set(final), new Set(lineIds)]
  return {
    inBooks: inBooks.size,
    onChain: onChain.size + unexpectedDeliveries.length,
    /** May disappear when an event arrives. */
    transient: [
      ...final.filter((id) => !inBooks.has(id)).map((id) => `TOKEN line ${id} is delivered, but not in payments`),
      ...lineIds
        .filter((id) => !onChain.has(id))
        .map((id) => `TOKEN line ${id} is delivered in payments, but not on the chain`),
    ],
    permanent: [
      ...unexpectedDeliveries.map(
        ({ token, recipient, txHash, at }) =>
          `TOKEN ${token} went to ${recipient} at ${at} (${txHash}), without a sale or withdrawal in this store`,
      ),
      ...unknownTokens.map((token) => `TOKEN ${token} was minted, without a work in this store`),
    ],
  }
}
