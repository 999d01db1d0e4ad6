import { type Mutant, mutant } from './mutant.ts'

const catalog = 'services/catalog/src'
const payments = 'services/payments/src'
const steps = `${payments}/orders/steps`
const received = `${catalog}/bidding/received-offer.routes.test.ts`
const placed = `${steps}/place-bid.test.ts`
const offers = `${payments}/offers/offer.routes.test.ts`
const accept = `${catalog}/bidding/received-offer.actions.ts`

/** First the guards that variants of the model (`models/offers`) lack, then others. */
export const offerMutants: Mutant[] = [
  mutant(
    'offer-open-without-hold',
    'an offer is reported to catalog while its card is held',
    {
      file: `${steps}/place-bid.ts`,
      find: "  if (hold.status === 'canceled') return endWithoutHold(context, hold)\n",
      replace: '',
    },
    { file: placed, title: 'a hold that its bank ended before the decision ends the offer, and is not delivered' },
  ),
  mutant(
    'offer-decided-by-event-only',
    'without the event of catalog, payments requests the state of an offer at its end at the latest',
    {
      file: `${steps}/place-bid.ts`,
      find: 'return retryIn(untilEndMs > 0 ? Math.min(everyMs, untilEndMs) : config.pollMs)',
      replace: 'return retryIn(untilEndMs + 10 * everyMs)',
    },
    {
      file: placed,
      title:
        'a hold is reported to catalog with its end, and the offer is asked about every five minutes and at its end',
    },
  ),
  mutant(
    'accepted-offer-cancelled',
    'an offer that was accepted cannot be cancelled by its buyer',
    {
      file: `${payments}/orders/cancellation.actions.ts`,
      find: "if (by === 'buyer' && order.orderKind === 'offer' && !lines.some(isUnsold)) throw offerAccepted()",
      replace: '',
    },
    { file: placed, title: 'withdrawn after it was accepted: 409, and it is delivered' },
  ),
  mutant(
    'offer-withdrawn-without-catalog',
    'catalog decides whether a withdrawn offer was accepted before',
    {
      file: `${steps}/release-bid.ts`,
      find: "if (by === 'buyer' || (by === 'account' && order.wallet !== null)) {",
      replace: "if (by !== 'buyer' && by === 'account' && order.wallet !== null) {",
    },
    { file: placed, title: 'accepted and withdrawn at the same moment, where ' },
  ),
  mutant(
    'offer-authorised-by-former-process',
    'the database refuses the delivery of a conditional line that was not accepted',
    {
      file: 'services/payments/migrations/025-offers.sql',
      find: "if new.conditional and old.state = 'awaiting_payment' and new.state = 'authorised' then",
      replace: 'if false then',
    },
    {
      file: `${payments}/orders/line.store.test.ts`,
      title: 'an offer is held before it is delivered, and by no purchase; a former process is refused',
    },
  ),
  mutant(
    'failed-offer-keeps-work',
    'an accepted offer whose order is released frees its work',
    {
      file: `${catalog}/bidding/bid.actions.ts`,
      find: '  await freeItem(trx, item, released)\n  if (await closeAcceptedOffer',
      replace: '  if (await closeAcceptedOffer',
    },
    { file: received, title: 'an accepted offer that fails frees its work, and another one is accepted' },
  ),
  mutant(
    'offer-read-before-lock',
    'an offer is read under the lock of its item',
    {
      file: `${catalog}/bidding/bid.actions.ts`,
      find: 'const offer = item && (await findOffer(trx, orderId))',
      replace: 'const offer = item && found',
    },
    { file: received, title: 'an acceptance waits for a withdrawal that has the lock, and is refused' },
  ),
  mutant(
    'offer-accepted-while-bought',
    'an offer is not accepted while somebody pays for the work',
    {
      file: accept,
      find: '  await requireUncontested(trx, item)\n  requireUnreserved(item)\n',
      replace: '  await requireUncontested(trx, item)\n',
    },
    { file: received, title: 'a purchase that began while minting was asked is found under the lock' },
  ),
  mutant(
    'offer-with-short-hold',
    'a hold lasts for the delivery of an offer that is accepted at its end',
    {
      file: `${catalog}/offers/offer.ts`,
      find: 'captureBefore === null || captureBefore.getTime() < endsAt.getTime() + HOLD_LASTS_LONGER_MS',
      replace: 'captureBefore === null',
    },
    {
      file: `${catalog}/bidding/bid.routes.test.ts`,
      title: 'a hold that does not last for the delivery ends the offer: ',
    },
  ),
  mutant(
    'offer-accepted-beside-suspension-of-seller',
    'an acceptance waits for a suspension of its seller that is being stored',
    {
      file: accept,
      find: 'const seller = await lockAccountShared(trx, userId)',
      replace:
        "const seller = await trx.selectFrom('account').selectAll().where('userId', '=', userId).executeTakeFirst()",
    },
    { file: received, title: 'an acceptance waits for the suspension of its ' },
  ),
  mutant(
    'offer-accepted-beside-suspension-of-buyer',
    'an acceptance waits for a suspension of its buyer that is being stored',
    {
      file: accept,
      find: 'await lockAccountShared(trx, found.buyerId)',
      replace: "(await trx.selectFrom('account').selectAll().where('userId', '=', found.buyerId).executeTakeFirst())",
    },
    { file: received, title: 'an acceptance waits for the suspension of its ' },
  ),
  mutant(
    'closing-page-of-offer-returned',
    'the page of an offer that is being cancelled is not returned',
    {
      file: `${payments}/offers/offer.actions.ts`,
      find: 'if (isSame && order.cancelRequestedBy === null) return',
      replace: 'if (isSame) return',
    },
    { file: offers, title: 'a click while the former page is being closed opens another' },
  ),
  mutant(
    'page-for-suspended-account',
    'a suspended account gets no page of an offer into custody',
    {
      file: `${payments}/offers/offer.routes.ts`,
      find: "    if (!placed.isNew && deliverTo === 'custody') await readBuyer()\n",
      replace: '',
    },
    { file: offers, title: 'the page of an offer into custody is not returned to a suspended account' },
  ),
  mutant(
    'page-for-another-work',
    'a page opens for the work and the amount that catalog was asked for',
    {
      file: `${steps}/begin-bid.ts`,
      find: 'if (described.itemId !== line.itemId || described.priceCents !== line.priceCents)',
      replace: 'if (false)',
    },
    { file: offers, title: 'no page opens when catalog has begun an offer of another ' },
  ),
]
