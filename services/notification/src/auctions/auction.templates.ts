import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type { EmailContent, MailedWork } from '../mails/email-layout.ts'

/** An auction that is over, for its seller. */
export type MailedAuction = {
  work: MailedWork
  /** Cents; null without a winner. */
  priceCents: number | null
  /** Number of bids that stood. */
  bids: number
  studioUrl: string
}

const amount = (cents: number) => formatPrice(toEuros(cents))

const ofAuction = ({ work, priceCents, bids, studioUrl }: MailedAuction) => ({
  works: [work],
  facts: [
    ['Work', work.name] as [string, string],
    ...(priceCents === null ? [] : [['Price', amount(priceCents)] as [string, string]]),
    ['Bids', String(bids)] as [string, string],
  ],
  action: { label: 'Open your studio', url: studioUrl },
})

const givenBack = ({ bids }: MailedAuction) =>
  bids === 0 ? [] : ['All bids have ended. Their holds are given back, and nobody is charged.']

const sellAgain = 'While the work is yours, you can auction it again or set it for sale.'

export const auctionAwarded = (auction: MailedAuction): EmailContent => ({
  ...ofAuction(auction),
  subject: `Your auction of “${auction.work.name}” has a winner`,
  paragraphs: [
    `A collector won “${auction.work.name}”${auction.priceCents === null ? '' : ` for ${amount(auction.priceCents)}`}. Their bank holds the money.`,
    'The work is delivered to them now. Once it has arrived, their card is charged, and you have your share.',
  ],
})

export const auctionUnsold = (auction: MailedAuction): EmailContent => ({
  ...ofAuction(auction),
  subject: `Your auction of “${auction.work.name}” has ended without a sale`,
  paragraphs: [
    auction.bids === 0
      ? 'The time is over, and nobody has bid.'
      : 'The time is over, and no bid was left: the bank of the last leader had ended the hold, or we had ended the bid.',
    sellAgain,
  ],
})

/** The winner was not charged. */
export const auctionFailed = (auction: MailedAuction): EmailContent => ({
  ...ofAuction({ ...auction, priceCents: null }),
  subject: `The sale of “${auction.work.name}” after your auction has failed`,
  paragraphs: [
    'Your auction had a winner, but the work did not reach them or their bank ended the hold. Nobody is charged, and there is no sale.',
    sellAgain,
  ],
})

const voidReasons: Record<string, string> = {
  moved: 'The work has left the wallet or the account that it was auctioned from.',
  hidden: 'The work is no longer shown in our store.',
  account: 'Your account cannot sell in our store at the moment.',
  undeliverable: 'The work cannot be delivered at the moment.',
  operator: 'We ended it. If you do not know why, write to us.',
}

/** `why`: of `catalog.auction-ended.v1`; one of a newer release has words that fit all. */
export const auctionVoid = ({ why, ...auction }: MailedAuction & { why: string }): EmailContent => ({
  ...ofAuction({ ...auction, priceCents: null }),
  subject: `Your auction of “${auction.work.name}” was stopped`,
  paragraphs: [
    `Your auction ended before its time. ${Object.hasOwn(voidReasons, why) ? voidReasons[why] : 'It could not go on.'}`,
    ...givenBack(auction),
  ],
})
