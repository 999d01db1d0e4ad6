import { type Mutant, mutant } from './mutant.ts'

const catalog = 'services/catalog/src'
const bids = `${catalog}/bidding/auction-bid.test.ts`
const outcomes = `${catalog}/bidding/auction-outcome.test.ts`
const starts = `${catalog}/bidding/auction.routes.test.ts`
const bidActions = `${catalog}/bidding/auction-bid.actions.ts`
const startActions = `${catalog}/bidding/auction.actions.ts`

/** Guards at catalog: first those that variants of the model (`models/auctions`) lack, then others of races. */
export const auctionMutants: Mutant[] = [
  {
    name: 'auction-decided-while-bid-under-way',
    rule: 'an auction waits three minutes for banks to confirm the bids that began before its end',
    edits: [
      {
        file: `${catalog}/auctions/auction.ts`,
        find: '(!hasStarted || !takesHeldBids(auction, now))',
        replace: '(!hasStarted || hasStarted)',
      },
      {
        file: `${catalog}/auctions/auction.store.ts`,
        find: "        or not exists (select from bid where auction_id = auction.id and state = 'started'))\n",
        replace: '        or true)\n',
      },
    ],
    tests: [{ file: bids, title: 'a bid counts that began before the end, and is held ' }],
  },
  mutant(
    'late-bid-not-reported',
    'a bid that its bank confirmed in time, and that is too late, is ended as late by us',
    {
      file: `${catalog}/auctions/auction.ts`,
      find: "heldAt <= later(graceEnd, -REPORTED_WITHIN_MS) ? 'late_by_us' : 'too_late'",
      replace: "heldAt <= later(graceEnd, -REPORTED_WITHIN_MS) ? 'too_late' : 'too_late'",
    },
    { file: bids, title: 'a bid that is placed after the grace is refused by when its bank confirmed it: ' },
  ),
  mutant(
    'standing-bid-withdrawn',
    'a bid that stands is binding',
    {
      file: `${catalog}/bidding/auction-bid.actions.ts`,
      find: "  if (bid.state !== 'started') return bidStateOf(bid, auction)\n  return bidStateOf(await endBid(trx, locked, { why: 'withdrawn'",
      replace:
        "  if (bid.state === 'ended') return bidStateOf(bid, auction)\n  return bidStateOf(await endBid(trx, locked, { why: 'withdrawn'",
    },
    { file: bids, title: 'a bid is withdrawn while its page is open, and binding once it stands' },
  ),
  mutant(
    'bid-with-short-hold',
    'a hold lasts for the delivery to the winner, at the latest end',
    {
      file: `${catalog}/auctions/auction.ts`,
      find: 'captureBefore === null || captureBefore < later(latestEndOf(auction, now), HOLD_LASTS_LONGER_MS)',
      replace: 'captureBefore === null',
    },
    { file: bids, title: 'a hold that does not last for the delivery ends the bid: ' },
  ),
  mutant(
    'bid-placed-beside-suspension',
    'a bid waits for a suspension of its bidder that is being stored',
    {
      file: `${catalog}/accounts/account.store.ts`,
      find: "    .orderBy('userId')\n    .forShare()\n",
      replace: "    .orderBy('userId')\n",
    },
    { file: bids, title: 'a bid waits for the suspension of its bidder that is stored at the moment its card is held' },
  ),
  mutant(
    'page-of-low-bid-open',
    'the page of a bid closes once its limit is below the minimum',
    {
      file: `${catalog}/bidding/auction-bid.ts`,
      find: '  endBidsBelow(decisions, after)\n',
      replace: '',
    },
    { file: bids, title: 'a page closes once its bid is too low' },
  ),
  mutant(
    'failed-award-keeps-work-reserved',
    'the work is free again when the winner is not charged',
    {
      file: `${catalog}/bidding/bid.actions.ts`,
      find: '  await freeItem(trx, item, released)\n  const failed = await releaseWonBid',
      replace: '  const failed = await releaseWonBid',
    },
    { file: outcomes, title: 'the auction of a won bid fails when ' },
  ),
  mutant(
    'award-without-reservation',
    'an award reserves the work for the winner in the same transaction',
    {
      file: `${catalog}/bidding/due-auctions.actions.ts`,
      find: '  await saveItem(trx, reserved(item, { orderId, buyerId, priceCents: auction.priceCents!, until: now }))\n',
      replace: '',
    },
    { file: outcomes, title: 'the leader wins at the end, and the work is reserved for it at the price' },
  ),
  mutant(
    'auction-decided-twice',
    'an auction is decided once, however many workers find its end',
    {
      file: `${catalog}/bidding/due-auctions.actions.ts`,
      find: '  if (!isDecidable(auction, { now, hasStarted })) return\n',
      replace: '',
    },
    { file: outcomes, title: 'of two workers that find the end of an auction one decides it' },
  ),
  mutant(
    'held-bid-ended-as-unheld',
    'a bid that is held while the worker waits for its work does not end',
    {
      file: bidActions,
      find: "if (locked?.bid.state === 'started') await endBid",
      replace: 'if (locked) await endBid',
    },
    {
      file: bids,
      title: 'a bid that was not held within an hour ends, unless it is held while the worker waits for its work',
    },
  ),
  mutant(
    'bid-begun-after-end',
    'no bid begins after an end that comes while minting is asked',
    {
      file: bidActions,
      find: 'item, item.auctionId)\n  if (!isRunning(auction, now)) throw auctionClosed()\n',
      replace: 'item, item.auctionId)\n',
    },
    { file: bids, title: 'a bid does not begin when its auction ' },
  ),
  mutant(
    'low-bid-begun',
    'no bid begins below a price that rises while minting is asked',
    {
      file: bidActions,
      find: '  requireEnough(standingOf(auction, await findLeader(trx, auction)), bid)\n',
      replace: '',
    },
    { file: bids, title: 'a bid does not begin when its auction ' },
  ),
  mutant(
    'bid-begun-for-contested-work',
    'no bid begins for a work that is contested while minting is asked',
    { file: bidActions, find: '  await requireUncontested(trx, item)\n', replace: '' },
    { file: bids, title: 'a bid does not begin when its auction ' },
  ),
  mutant(
    'released-order-begins-bid',
    'an order that payments has released begins no bid',
    { file: bidActions, find: '  requireUnreleased(stored)\n', replace: '' },
    {
      file: bids,
      title: 'an order that payments has released begins no bid, and that of a purchase or an offer is none',
    },
  ),
  mutant(
    'order-of-two-kinds',
    'the order of a purchase or an offer begins no bid',
    {
      file: bidActions,
      find: '  if (stored.lines || (await findOffer(trx, orderId))) throw orderDiffers()\n',
      replace: '',
    },
    {
      file: bids,
      title: 'an order that payments has released begins no bid, and that of a purchase or an offer is none',
    },
  ),
  mutant(
    'bid-for-former-seller',
    'no bid begins for a work whose seller may not sell',
    { file: bidActions, find: ' || !maySell(seller)', replace: '' },
    { file: bids, title: 'a bid for a work of a seller who may not sell any more does not begin' },
  ),
  mutant(
    'auction-of-moved-work',
    'an auction starts of the work whose delivery minting has checked',
    {
      file: startActions,
      find: "  if (item.wallet !== checked.wallet) throw conflict('item_moved', 'The item has just moved, please reload')\n",
      replace: '',
    },
    { file: starts, title: 'an auction does not start when its work ' },
  ),
  mutant(
    'auction-of-reserved-work',
    'no auction starts of a work that is reserved while minting is asked',
    { file: startActions, find: "please reload')\n  requireUnreserved(item)\n", replace: "please reload')\n" },
    { file: starts, title: 'an auction does not start when its work ' },
  ),
  mutant(
    'auction-started-beside-suspension',
    'the start of an auction waits for a suspension of its seller that is being stored',
    {
      file: startActions,
      find: '  requireSeller(await lockAccountShared(trx, userId))\n  const item =',
      replace: '  const item =',
    },
    {
      file: starts,
      title: 'an auction waits for the suspension of its seller that is stored at that moment, and is refused its ',
    },
  ),
  mutant(
    'auction-cancelled-beside-suspension',
    'a cancellation, which lists the work again, waits for a suspension of its seller that is being stored',
    {
      file: startActions,
      find: '  requireSeller(await lockAccountShared(trx, userId))\n  const locked =',
      replace: '  const locked =',
    },
    {
      file: starts,
      title: 'an auction waits for the suspension of its seller that is stored at that moment, and is refused its ',
    },
  ),
]
