import { type Mutant, mutant } from './mutant.ts'

const payments = 'services/payments/src'
const steps = `${payments}/orders/steps`
const bids = `${payments}/offers/bid.test.ts`

/** The guards that variants of the model (`models/auctions`) lack, at payments. */
export const bidMutants: Mutant[] = [
  mutant(
    'bid-charged-its-limit',
    'a bid that has won is charged the price of its auction',
    {
      file: `${steps}/place-bid.ts`,
      find: 'startDelivery(context, { hold, priceCents: bid.priceCents! })',
      replace: 'startDelivery(context, { hold })',
    },
    {
      file: bids,
      title: 'a bid that wins is charged the price and not its limit; the rest of the hold is given back',
    },
  ),
  mutant(
    'leading-bid-cancelled',
    'a bid that leads cannot be cancelled by its bidder',
    {
      file: `${steps}/release-bid.ts`,
      find: "if (state === 'won' || (state === 'open' && by === 'buyer'))",
      replace: "if (state === 'won')",
    },
    { file: bids, title: 'cancelled while it is reported to catalog: a bid that ' },
  ),
  mutant(
    'bid-never-decided',
    'a hold is given back while it lasts for the delivery, when the auction is still not decided',
    {
      file: `${steps}/place-bid.ts`,
      find: 'bid.decideBy === null ? latestDecision(hold.captureBeforeMs) : new Date(bid.decideBy)',
      replace: 'bid.decideBy === null ? null : new Date(bid.decideBy)',
    },
    {
      file: bids,
      title: 'undecided when the rest of its hold is just enough for the delivery: released with an alarm',
    },
  ),
  mutant(
    'late-bid-without-alarm',
    'an alarm is raised for a bid that payments reported too late',
    {
      file: `${steps}/place-bid.ts`,
      find: '  if (why === LATE_BY_US) await alarmLate(context, hold)\n',
      replace: '',
    },
    {
      file: bids,
      title: 'a bid that its bank had held in time, and that payments reported too late: given back with an alarm',
    },
  ),
]
