import { setTimeout as sleep } from 'node:timers/promises'
import { listDeliveredTokens } from '@nifty/api/minting/ops'
import { getReconciliation, listArrivedLines, recordReconciliation } from '@nifty/api/payments/ops'
import { type Command, euros, table } from './command.ts'
import type { Store } from './store.ts'

/** What was delivered a moment ago is still on its way to payments: only what differs twice differs. */
const ON_ITS_WAY_MS = 3_000
const LOOKS = 5

export const reconcileCommand: Command = {
  usage: '',
  about: 'compares books, processor and chain, to the cent and to the token; exit code 1 when they differ',
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
      ...differences.map(({ orderId, intentId, what }) => `MONEY ${inWords(orderId, intentId)}: ${what}`),
      ...tokens.differences,
    ]
    const well = balanced && found.length === 0
    await store.payments(recordReconciliation, { body: { differences: well ? 0 : Math.max(1, found.length) } })
    return {
      text: [
        table([['money', 'ours', 'processor'], ...rows]),
        '',
        table([
          ['tokens', 'ours', 'chain'],
          ['delivered', tokens.ours, tokens.chain],
        ]),
        '',
        ...found,
        well ? 'Balanced.' : 'NOT BALANCED',
      ].join('\n'),
      well,
    }
  },
}

const inWords = (orderId: string | null, intentId: string | null) =>
  [orderId && `order ${orderId}`, intentId && `payment ${intentId}`].filter(Boolean).join(', ') || 'all books'

async function compareTokens(store: Store) {
  for (let look = 1; ; look++) {
    const found = await lookAtTokens(store)
    if (found.passing.length === 0 || look === LOOKS)
      return { ...found, differences: [...found.passing, ...found.lasting] }
    await sleep(ON_ITS_WAY_MS)
  }
}

async function lookAtTokens(store: Store) {
  const { final, strays, unknownTokens } = await store.minting(listDeliveredTokens)
  const { lineIds } = await store.payments(listArrivedLines)
  const [onChain, inBooks] = [new Set(final), new Set(lineIds)]
  return {
    ours: inBooks.size,
    chain: onChain.size + strays.length,
    passing: [
      ...final
        .filter((id) => !inBooks.has(id))
        .map((id) => `TOKEN line ${id} is delivered, and payments does not know`),
      ...lineIds
        .filter((id) => !onChain.has(id))
        .map((id) => `TOKEN line ${id} is delivered for payments, and not on the chain`),
    ],
    lasting: [
      ...strays.map(
        ({ token, recipient, txHash, at }) =>
          `TOKEN ${token} went to ${recipient} at ${at} (${txHash}), for a sale or withdrawal that this store does not know`,
      ),
      ...unknownTokens.map((token) => `TOKEN ${token} was minted, and this store has no work for it`),
    ],
  }
}
