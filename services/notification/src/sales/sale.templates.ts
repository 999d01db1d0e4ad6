import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type { EmailContent } from '../mails/email-layout.ts'

const amount = (cents: number) => formatPrice(toEuros(cents))

type Line = { name: string; priceCents: number; orderId: string }

export const purchased = ({
  line,
  txHash,
  orderUrl,
  custody = false,
}: {
  line: Line
  txHash: string
  orderUrl: string
  /** The store keeps the token for the buyer. */
  custody?: boolean
}): EmailContent => ({
  subject: `“${line.name}” has arrived`,
  paragraphs: custody
    ? [
        `“${line.name}” is yours, and we keep it for you, free of charge. Its delivery is final on the chain. Only now was your card charged.`,
        'You can move it to a wallet of your own at any time, at no cost: link the wallet in your settings, then choose “Move to my wallet” on the page of the work, to which your order leads.',
      ]
    : [
        `“${line.name}” is in your wallet, and its delivery is final on the chain. Only now was your card charged.`,
        'If your wallet does not show it yet, look among its hidden items.',
      ],
  facts: [
    ['Work', line.name],
    ['Charged', amount(line.priceCents)],
    ['Order', line.orderId],
    ['Transaction', txHash],
  ],
  action: { label: 'See your order', url: orderUrl },
})

export const writtenOff = ({
  line,
  txHash,
  orderUrl,
}: {
  line: Line
  txHash: string
  orderUrl: string
}): EmailContent => ({
  subject: `“${line.name}” has arrived`,
  paragraphs: [
    `“${line.name}” is yours, and its delivery is final on the chain.`,
    'Your card was not charged: your bank ended the hold before we could charge it. You keep the work and owe us nothing.',
  ],
  facts: [
    ['Work', line.name],
    ['Order', line.orderId],
    ['Transaction', txHash],
  ],
  action: { label: 'See your order', url: orderUrl },
})

export const sold = ({
  line,
  sellerCents,
  studioUrl,
  unsubscribeUrl,
}: {
  line: Line
  sellerCents: number
  studioUrl: string
  unsubscribeUrl: string
}): EmailContent => ({
  subject: `“${line.name}” was sold`,
  paragraphs: [`Congratulations: a collector bought “${line.name}”, and it was delivered.`],
  facts: [
    ['Price', amount(line.priceCents)],
    ['Your share', amount(sellerCents)],
  ],
  action: { label: 'See your statement', url: studioUrl },
  footnote: 'You can also switch these mails off in your settings, under account notifications.',
  unsubscribe: { label: 'No more mails about my sales', url: unsubscribeUrl },
})

const reasons = {
  cancelled: 'The order was cancelled.',
  expired: 'The order ran out before it was paid.',
  undeliverable: 'The work could not be delivered.',
} as const

export const released = ({
  line,
  reason,
  exploreUrl,
}: {
  line: Line
  reason: keyof typeof reasons
  exploreUrl: string
}): EmailContent => ({
  subject: `Nothing was charged for “${line.name}”`,
  paragraphs: [
    'Nothing was charged.',
    `${reasons[reason]} The amount that was held on your card is released; depending on your bank it disappears from your statement within a few days.`,
  ],
  facts: [
    ['Work', line.name],
    ['Released', amount(line.priceCents)],
    ['Order', line.orderId],
  ],
  action: { label: 'Look at other works', url: exploreUrl },
})

export const refunded = ({
  line,
  refundedCents,
  orderUrl,
}: {
  line: Line
  refundedCents: number
  orderUrl: string
}): EmailContent => ({
  subject: `Your refund for “${line.name}”`,
  paragraphs: [`We have sent ${amount(refundedCents)} back to your card. It usually takes five to ten days to show.`],
  facts: [['Order', line.orderId]],
  action: { label: 'See your order', url: orderUrl },
})

export const refundFailed = ({
  line,
  refundedCents,
  orderUrl,
}: {
  line: Line
  refundedCents: number
  orderUrl: string
}): EmailContent => ({
  subject: `Your refund for “${line.name}” did not arrive`,
  paragraphs: [
    `Your bank did not accept our refund of ${amount(refundedCents)}, for example because the card was closed. The money is back with us.`,
    'You need to do nothing now: we make the refund again, or write to you how we can pay you otherwise.',
  ],
  facts: [['Order', line.orderId]],
  action: { label: 'See your order', url: orderUrl },
})

export const saleRefunded = ({
  line,
  refundedCents,
  studioUrl,
}: {
  line: Line
  refundedCents: number
  studioUrl: string
}): EmailContent => ({
  subject: `The sale of “${line.name}” was refunded`,
  paragraphs: [
    `We have refunded ${amount(refundedCents)} to the collector. Your share of this sale is held back until we have decided who bears the refund; we write to you then.`,
  ],
  facts: [
    ['Price', amount(line.priceCents)],
    ['Refunded', amount(refundedCents)],
  ],
  action: { label: 'See your statement', url: studioUrl },
})

export const lossAssigned = ({
  line,
  kind,
  borneBy,
  lostCents,
  studioUrl,
}: {
  line: Line
  kind: 'refund' | 'dispute'
  borneBy: 'platform' | 'seller'
  lostCents: number
  studioUrl: string
}): EmailContent => ({
  subject:
    borneBy === 'platform' ? `Your share of “${line.name}” stays yours` : `Your share of “${line.name}” is reversed`,
  paragraphs: [
    borneBy === 'platform'
      ? `We bear the ${kind} of ${amount(lostCents)}: your share of this sale is not changed by it.`
      : `The sale was reversed by a ${kind} of ${amount(lostCents)}, and your share is reduced with it. If it was paid out already, your next sales make up for it.`,
  ],
  facts: [
    ['Price', amount(line.priceCents)],
    [kind === 'refund' ? 'Refunded' : 'Disputed', amount(lostCents)],
  ],
  action: { label: 'See your statement', url: studioUrl },
})
