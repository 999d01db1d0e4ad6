import {
  alreadyRegistered,
  confirmation,
  deletionIsRequested,
  goodbye,
  passwordReset,
  securityNotice,
  unusualPrice,
} from '../accounts/account.templates.ts'
import { applicationDeclined, applicationGranted, applicationReceived } from '../applications/application.templates.ts'
import { auctionAwarded, auctionFailed, auctionUnsold, auctionVoid } from '../auctions/auction.templates.ts'
import { bidEnded, bidHeld, lastHour, outbid } from '../auctions/bid.templates.ts'
import { digestMail } from '../digests/digest.templates.ts'
import { giftAccepted, giftLapsed, giftOf } from '../gifts/gift.templates.ts'
import type { EmailContent, Store } from '../mails/email-layout.ts'
import { confirmSubscription } from '../newsletter/newsletter.templates.ts'
import { noticeMail } from '../notices/notice.templates.ts'
import { offerEnded, offerHeld, offerReceived } from '../offers/offer.templates.ts'
import { profilePartsRemoved, workHidden } from '../removals/removal.templates.ts'
import { type MailedOrder, orderPlaced, paymentFailed } from '../sales/order.templates.ts'
import {
  disputed,
  disputeEnded,
  lossAssigned,
  type MailedLine,
  purchased,
  refunded,
  refundFailed,
  released,
  saleDisputed,
  saleDisputeWon,
  saleRefunded,
  sold,
  writtenOff,
} from '../sales/sale.templates.ts'
import { withdrawn } from '../sales/withdrawal.templates.ts'

/** Every mail of the store with invented content, by the name of its template. `pictures`: addresses of works. */
export function mailSamples(
  { publicUrl, name: storeName, company }: Store,
  pictures: string[],
): Record<string, EmailContent> {
  const at = '2026-11-26T18:40:00.000Z'
  const token = 'token-of-a-preview'
  const txHash = `0x${'9f2c'.repeat(16)}`
  const orderUrl = `${publicUrl}/orders/fcfc512e`
  const studioUrl = `${publicUrl}/studio`
  const unsubscribeUrl = `${publicUrl}/unsubscribe#${token}`
  const freezeUrl = `${publicUrl}/freeze-account#${token}`
  const exploreUrl = `${publicUrl}/explore-one`
  const lineOf = (name: string, index: number): MailedLine => ({
    name,
    priceCents: 145_000,
    orderNumber: 'FCFC512E',
    work: { name, url: `${publicUrl}/item-detail/@ada/0x1/${index}`, picture: pictures[index] ?? null },
    contactUrl: `${publicUrl}/contact?about=order:FCFC512E`,
  })
  const line = lineOf('Sixty in the Sun', 0)
  const long = lineOf(
    'A Very Long Title of a Work about Lighthouses, Tides and the Names that People Give to Storms',
    1,
  )
  const rightToLeft = lineOf('غروب 3D فوق الميناء', 2)
  const links = [
    { label: 'Receipt', url: `${orderUrl}/receipt` },
    { label: 'Certificate', url: `${orderUrl}/certificate` },
  ]
  const orderOf = (lines: MailedLine[]): MailedOrder => ({
    orderNumber: 'FCFC512E',
    totalCents: 145_000 * lines.length,
    works: lines.map(({ work }) => ({ ...work, detail: '1,450\u00a0€' })),
    contactUrl: line.contactUrl,
  })
  const wallet = `0x${'ab'.repeat(20)}`
  const placed = {
    isGift: false,
    kind: 'purchase' as const,
    heldCents: 145_000,
    deliverBy: at,
    termsVersion: '2025-02-13',
    company,
    orderUrl,
    termsUrl: `${publicUrl}/terms`,
  }
  const offerOf = ({ work, priceCents }: MailedLine) => ({ work, priceCents })
  const ended = { orderNumber: line.orderNumber, exploreUrl, contactUrl: line.contactUrl }
  const bidOf = ({ work, orderNumber, contactUrl }: MailedLine) => ({
    work,
    limitCents: 145_000,
    priceCents: 150_000,
    orderNumber,
    contactUrl,
  })
  const auction = { work: line.work, priceCents: 145_000, bids: 7, studioUrl }
  const notice = {
    name: line.name,
    artist: 'Ada Lind',
    priceCents: 95_000,
    endsAt: null,
    itemUrl: line.work.url,
    unsubscribeUrl,
  }
  const listed = [line, long, rightToLeft].map(({ name, priceCents, work }) => ({
    name,
    artist: 'Ada Lind',
    priceCents,
    contract: '0x1',
    identifier: '1',
    url: work.url,
  }))
  return {
    'order placed, into custody': orderPlaced({ order: orderOf([line]), wallet: null, ...placed }),
    'order placed, a gift': orderPlaced({ order: orderOf([line]), wallet: null, ...placed, isGift: true }),
    'order placed, several works': orderPlaced({
      order: orderOf([line, long, rightToLeft]),
      wallet,
      ...placed,
      heldCents: 435_000,
    }),
    'offer received': offerReceived({ offer: offerOf(long), endsAt: at, studioUrl, unsubscribeUrl }),
    'offer held': offerHeld({
      offer: offerOf(long),
      endsAt: at,
      orderNumber: line.orderNumber,
      orderUrl,
      contactUrl: line.contactUrl,
    }),
    'offer accepted': orderPlaced({ order: orderOf([line]), wallet, ...placed, kind: 'offer' }),
    'offer declined': offerEnded({ offer: offerOf(line), why: 'declined', ...ended }),
    'offer expired': offerEnded({ offer: offerOf(rightToLeft), why: 'expired', ...ended }),
    'offer ended, sold': offerEnded({ offer: offerOf(line), why: 'sold', ...ended }),
    'offer ended by the bank': offerEnded({ offer: offerOf(long), why: 'hold_lost', ...ended }),
    'offer lost by the store': offerEnded({ offer: offerOf(line), why: 'bid_not_found', ...ended }),
    'auction won': orderPlaced({ order: orderOf([long]), wallet: null, ...placed, kind: 'bid', heldCents: 200_000 }),
    'auction won at the maximum': orderPlaced({ order: orderOf([line]), wallet, ...placed, kind: 'bid' }),
    'bid held': bidHeld({ ...bidOf(long), endsAt: at, orderUrl }),
    outbid: outbid({ ...bidOf(long), endsAt: at }),
    'last hour of the leader': lastHour({ work: line.work, priceCents: 150_000, endsAt: at, leads: true }),
    'last hour of who was outbid': lastHour({ work: long.work, priceCents: 150_000, endsAt: at, leads: false }),
    'bid ended, too low': bidEnded({ ...bidOf(line), why: 'too_low', exploreUrl }),
    'bid ended by the bank': bidEnded({ ...bidOf(rightToLeft), why: 'hold_lost', exploreUrl }),
    'bid ended, void': bidEnded({ ...bidOf(line), priceCents: null, why: 'void', exploreUrl }),
    'auction awarded': auctionAwarded(auction),
    'auction unsold': auctionUnsold({ ...auction, priceCents: null, bids: 0 }),
    'auction failed': auctionFailed(auction),
    'auction void': auctionVoid({ ...auction, why: 'moved' }),
    'payment failed': paymentFailed({ order: orderOf([line]), declined: 'insufficient_funds' }),
    'payment failed, several works': paymentFailed({ order: orderOf([line, long]), declined: 'declined' }),
    'purchased, to a wallet': purchased({ line, txHash, orderUrl, links }),
    'purchased, into custody': purchased({ line: long, txHash, orderUrl, links, custody: true }),
    'purchased, as a gift': purchased({ line, txHash, orderUrl, links, custody: true, gift: true }),
    gift: giftOf({
      work: line.work,
      text: 'Happy birthday!\nFor the empty wall above your sofa.',
      url: `${publicUrl}/gift#${token}`,
      until: '2027-02-24T00:00:00.000Z',
    }),
    'gift, accepted': giftAccepted({ name: line.name, action: { label: 'See your order', url: orderUrl } }),
    'gift, lapsed': giftLapsed({ name: line.name, action: { label: 'See your order', url: orderUrl } }),
    'written off': writtenOff({ line: rightToLeft, txHash, orderUrl }),
    'written off, a gift': writtenOff({ line, txHash, orderUrl, gift: true }),
    sold: sold({ line, sellerCents: 130_500, studioUrl, unsubscribeUrl }),
    'released, undeliverable': released({ line, reason: 'undeliverable', exploreUrl }),
    refunded: refunded({ line, refundedCents: 145_000, orderUrl }),
    'refund failed': refundFailed({ line, refundedCents: 145_000, orderUrl }),
    'sale refunded': saleRefunded({ line, refundedCents: 145_000, studioUrl }),
    'loss assigned to the platform': lossAssigned({
      line,
      kind: 'refund',
      borneBy: 'platform',
      lostCents: 145_000,
      studioUrl,
    }),
    'loss assigned to the seller': lossAssigned({
      line,
      kind: 'dispute',
      borneBy: 'seller',
      lostCents: 145_000,
      studioUrl,
    }),
    disputed: disputed({ line, orderUrl }),
    'dispute ended': disputeEnded({ line, orderUrl }),
    'sale disputed': saleDisputed({ line, studioUrl }),
    'sale dispute won': saleDisputeWon({ line, studioUrl }),
    withdrawn: withdrawn({ work: line.work, wallet, txHash, itemUrl: line.work.url }),
    'withdrawn, of another collection': withdrawn({ work: null, wallet, txHash, itemUrl: line.work.url }),
    'favourite cheaper': noticeMail('cheaper', notice),
    'favourite sold': noticeMail('sold', { ...notice, priceCents: null }),
    'favourite available': noticeMail('available', notice),
    'auction of a favourite began': noticeMail('auction_began', notice),
    'auction of a favourite ends': noticeMail('auction_ends', { ...notice, endsAt: new Date(at) }),
    'digest of one work': digestMail(listed.slice(0, 1), unsubscribeUrl),
    'digest of several works': digestMail(listed, unsubscribeUrl),
    confirmation: confirmation({ url: `${publicUrl}/accept?token=${token}`, purpose: 'sign_up', storeName }),
    'confirmation of a new address': confirmation({
      url: `${publicUrl}/accept?token=${token}`,
      purpose: 'new_address',
      storeName,
    }),
    'already registered': alreadyRegistered({ loginUrl: `${publicUrl}/login`, storeName }),
    'password reset': passwordReset({ url: `${publicUrl}/reset-password/${token}` }),
    'security notice, new device': securityNotice({
      what: 'new_device',
      to: 'Firefox on Linux',
      at,
      freezeUrl,
      storeName,
    }),
    'security notice, withdrawal': securityNotice({
      storeName,
      what: 'withdrawal_requested',
      work: line.name,
      to: `0x${'ab'.repeat(20)}`,
      at,
      freezeUrl,
    }),
    'unusual price': unusualPrice({ name: line.name, priceCents: 50, formerCents: 85_000, at, freezeUrl }),
    'deletion requested': deletionIsRequested({ storeName, freezeUrl }),
    goodbye: goodbye({ storeName }),
    'goodbye, works given up': goodbye({
      storeName,
      givenUp: { handBackCode: 'K7QX-2M4P', contactUrl: `${publicUrl}/contact` },
    }),
    'application received': applicationReceived({ url: `${publicUrl}/sell` }),
    'application granted': applicationGranted({ answer: 'Welcome. We look forward to your engines.', url: studioUrl }),
    'application declined': applicationDeclined({ answer: 'Please show us more works.', url: `${publicUrl}/sell` }),
    'parts of a profile removed': profilePartsRemoved({
      parts: ['avatar', 'name', 'links'],
      reason: 'The picture shows somebody else',
      at,
      storeName,
      contactUrl: `${publicUrl}/contact`,
    }),
    'work hidden': workHidden({
      name: long.name,
      reason: 'The picture belongs to another artist',
      at,
      contactUrl: `${publicUrl}/contact`,
    }),
    newsletter: confirmSubscription({ url: `${publicUrl}/accept?newsletter=${token}`, unsubscribeUrl, storeName }),
  }
}
