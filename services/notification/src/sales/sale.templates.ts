import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type { EmailContent, MailedWork } from '../mails/email-layout.ts'

const amount = (cents: number) => formatPrice(toEuros(cents))

/** What the mails about a line have in common. Amounts in cents. */
export type MailedLine = {
  name: string
  priceCents: number
  orderNumber: string
  work: MailedWork
  /** The contact page with a subject about the order. */
  contactUrl: string
}

const ofOrder = ({ work, contactUrl }: MailedLine) => ({
  works: [work],
  help: { label: 'A question about this order?', url: contactUrl },
})

const ofSale = ({ work, contactUrl }: MailedLine) => ({
  works: [work],
  help: { label: 'A question about this sale?', url: contactUrl },
})

export const purchased = ({
  line,
  txHash,
  orderUrl,
  links,
  custody = false,
  gift = false,
}: {
  line: MailedLine
  txHash: string
  orderUrl: string
  links: EmailContent['links']
  /** The store keeps the token for the buyer. */
  custody?: boolean
  /** Bought for another person. */
  gift?: boolean
}): EmailContent => ({
  ...ofOrder(line),
  subject: gift ? `Your gift “${line.name}” is ready` : `“${line.name}” has arrived`,
  paragraphs: gift
    ? [
        `We keep “${line.name}” for you, and mail the link to accept it to the address that you entered, unless you have taken the gift back. Only now was your card charged.`,
        'On your order you see whether the gift was accepted. Until then you can correct the address or take the gift back; after 90 days it stays with you.',
      ]
    : custody
      ? [
          `“${line.name}” is yours, and we keep it for you, free of charge. Its delivery is final on the chain. Only now was your card charged.`,
          'You can move it to a wallet of your own, at no cost: link the wallet in your settings, then choose “Move to my wallet” on the page of the work, to which your order leads. It says from when on.',
        ]
      : [
          `“${line.name}” is in your wallet, and its delivery is final on the chain. Only now was your card charged.`,
          'If your wallet does not show it yet, look among its hidden items.',
        ],
  facts: [
    ['Work', line.name],
    ['Charged', amount(line.priceCents)],
    ['Order', line.orderNumber],
    ['Transaction', txHash],
  ],
  action: { label: 'See your order', url: orderUrl },
  links,
})

export const writtenOff = ({
  line,
  txHash,
  orderUrl,
  gift = false,
}: {
  line: MailedLine
  txHash: string
  orderUrl: string
  /** Bought for another person. */
  gift?: boolean
}): EmailContent => ({
  ...ofOrder(line),
  subject: gift ? `Your gift “${line.name}” is ready` : `“${line.name}” has arrived`,
  paragraphs: [
    gift
      ? `We keep “${line.name}” for you, and mail the link to accept it to the address that you entered, unless you have taken the gift back.`
      : `“${line.name}” is yours, and its delivery is final on the chain.`,
    `Your card was not charged: your bank ended the hold before we could charge it. ${gift ? 'You' : 'You keep the work and'} owe us nothing.`,
  ],
  facts: [
    ['Work', line.name],
    ['Order', line.orderNumber],
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
  line: MailedLine
  sellerCents: number
  studioUrl: string
  unsubscribeUrl: string
}): EmailContent => ({
  ...ofSale(line),
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
  line: MailedLine
  reason: keyof typeof reasons
  exploreUrl: string
}): EmailContent => ({
  ...ofOrder(line),
  subject: `Nothing was charged for “${line.name}”`,
  paragraphs: [
    'Nothing was charged.',
    `${reasons[reason]} The amount that was held on your card is released; depending on your bank it disappears from your statement within a few days.`,
  ],
  facts: [
    ['Work', line.name],
    ['Not charged', amount(line.priceCents)],
    ['Order', line.orderNumber],
  ],
  action: { label: 'Look at other works', url: exploreUrl },
})

export const refunded = ({
  line,
  refundedCents,
  orderUrl,
}: {
  line: MailedLine
  refundedCents: number
  orderUrl: string
}): EmailContent => ({
  ...ofOrder(line),
  subject: `Your refund for “${line.name}”`,
  paragraphs: [`We have sent ${amount(refundedCents)} back to your card. It usually takes five to ten days to show.`],
  facts: [['Order', line.orderNumber]],
  action: { label: 'See your order', url: orderUrl },
})

export const refundFailed = ({
  line,
  refundedCents,
  orderUrl,
}: {
  line: MailedLine
  refundedCents: number
  orderUrl: string
}): EmailContent => ({
  ...ofOrder(line),
  subject: `Your refund for “${line.name}” did not arrive`,
  paragraphs: [
    `Your bank did not accept our refund of ${amount(refundedCents)}, for example because the card was closed. The money is back with us.`,
    'You need to do nothing now: we make the refund again, or write to you how we can pay you otherwise.',
  ],
  facts: [['Order', line.orderNumber]],
  action: { label: 'See your order', url: orderUrl },
})

export const saleRefunded = ({
  line,
  refundedCents,
  studioUrl,
}: {
  line: MailedLine
  refundedCents: number
  studioUrl: string
}): EmailContent => ({
  ...ofSale(line),
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
  line: MailedLine
  kind: 'refund' | 'dispute'
  borneBy: 'platform' | 'seller'
  lostCents: number
  studioUrl: string
}): EmailContent => ({
  ...ofSale(line),
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

export const disputed = ({ line, orderUrl }: { line: MailedLine; orderUrl: string }): EmailContent => ({
  ...ofOrder(line),
  subject: `Your payment for “${line.name}” is disputed`,
  paragraphs: [
    'Your bank has taken the payment for this work back, because the cardholder disputes it.',
    'Until your bank has decided, the work stays where it is: it cannot be sold or moved to a wallet.',
    'If you know nothing of this, or disputed it by mistake, write to us and to your bank: a dispute can be withdrawn.',
  ],
  facts: [
    ['Work', line.name],
    ['Price', amount(line.priceCents)],
    ['Order', line.orderNumber],
  ],
  action: { label: 'See your order', url: orderUrl },
})

export const disputeEnded = ({ line, orderUrl }: { line: MailedLine; orderUrl: string }): EmailContent => ({
  ...ofOrder(line),
  subject: `The dispute about “${line.name}” has ended`,
  paragraphs: ['Your bank decided that the payment stands. The work is yours, as before.'],
  facts: [['Order', line.orderNumber]],
  action: { label: 'See your order', url: orderUrl },
})

export const saleDisputed = ({ line, studioUrl }: { line: MailedLine; studioUrl: string }): EmailContent => ({
  ...ofSale(line),
  subject: `The payment for “${line.name}” is disputed`,
  paragraphs: [
    'The collector’s bank has taken the payment for this work back. We answer the bank with what we know about the sale.',
    'Your share of this sale is held back until the bank has decided; we write to you then. You need to do nothing.',
  ],
  facts: [['Price', amount(line.priceCents)]],
  action: { label: 'See your statement', url: studioUrl },
})

export const saleDisputeWon = ({ line, studioUrl }: { line: MailedLine; studioUrl: string }): EmailContent => ({
  ...ofSale(line),
  subject: `The dispute about “${line.name}” was won`,
  paragraphs: ['The collector’s bank decided that the payment stands: your share of this sale is no longer held back.'],
  facts: [['Price', amount(line.priceCents)]],
  action: { label: 'See your statement', url: studioUrl },
})
