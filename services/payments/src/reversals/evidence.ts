import type { Evidence } from '@nifty/api/payments/disputes'
import type { OrderHistory } from '@nifty/api/payments/ops'

/** The terms that a buyer accepted; `text` is null for versions from before texts were stored. */
export type AcceptedTerms = { version: string; firstDay: string; text: string | null }

export type EvidenceFacts = {
  history: OrderHistory
  terms: AcceptedTerms | null
  /** As the card's holder wrote them on the payment page. */
  customer: { name: string | null; email: string | null } | null
  /** When the card was authorised, ISO 8601. */
  authorisedAt: string | null
}

const MAX_TEXT = 20_000

const linesIn = (parts: (string | null)[]) => parts.filter((part) => part !== null).join('\n')

/** The order in words, with times in UTC. */
function orderText({ history, terms, customer, authorisedAt }: EvidenceFacts): string {
  const { order, buyerId, intentId } = history
  const delivered = (itemId: string) =>
    order.timeline.find((entry) => entry.itemId === itemId && entry.state === 'delivered')?.at
  const works = order.lines.map(({ itemId, name, contract, identifier, price, state, txHash }) =>
    linesIn([
      `- "${name}", EUR ${price.toFixed(2)}, token ${identifier} of contract ${contract}: ${state}`,
      txHash === null ? null : `  delivered by the blockchain transaction ${txHash}`,
      delivered(itemId) === undefined ? null : `  delivered at ${delivered(itemId)}`,
    ]),
  )
  return linesIn([
    `Order ${order._id}, placed at ${order.createdAt} by account ${buyerId}.`,
    customer && `Name and address on the payment page: ${customer.name ?? 'none'}, ${customer.email ?? 'none'}.`,
    authorisedAt && `Card authorised at ${authorisedAt} (payment ${intentId}).`,
    `Charged after the delivery: EUR ${order.captured.toFixed(2)} of EUR ${order.total.toFixed(2)}.`,
    `Recipient: ${order.wallet ?? "the store's custody for the buyer"}.`,
    terms && `Terms accepted with the order: version ${terms.version}, in force from ${terms.firstDay}.`,
    '',
    'Works:',
    ...works,
    '',
    'What happened:',
    ...order.timeline.map(({ at, state, itemId }) => {
      const work = order.lines.find((line) => line.itemId === itemId)
      return `${at}  ${state}  ${work?.name ?? itemId}`
    }),
  ])
}

/** What can be submitted as it is. */
export function evidenceOf(facts: EvidenceFacts): Evidence {
  const { customer, history } = facts
  const delivered = history.order.timeline.findLast(({ state }) => state === 'delivered')
  const names = history.order.lines.map(({ name }) => `“${name}”`).join(', ')
  return {
    ...(customer?.name && { customerName: customer.name.slice(0, 200) }),
    ...(customer?.email && { customerEmail: customer.email.slice(0, 254) }),
    ...(delivered && { serviceDate: delivered.at.slice(0, 10) }),
    description: `Digital art, each work a token on a public blockchain (NFT): ${names}`.slice(0, MAX_TEXT),
    text: orderText(facts).slice(0, MAX_TEXT),
  }
}

/** The order as data and in words, and the terms. */
export function evidenceFiles(facts: EvidenceFacts): { name: string; text: string }[] {
  const { history, terms } = facts
  return [
    { name: 'order.txt', text: `${orderText(facts)}\n` },
    { name: 'order.json', text: `${JSON.stringify(history, null, 2)}\n` },
    ...(terms?.text ? [{ name: `terms-${terms.version}.md`, text: terms.text }] : []),
  ]
}
