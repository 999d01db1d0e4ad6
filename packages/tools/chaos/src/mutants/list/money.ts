import { type Mutant, mutant } from './mutant.ts'

const payments = 'services/payments/src'
const test = (file: string, title: string) => ({ file: `${payments}/${file}`, title })
const reversals = (title: string) => test('reversals/reversals.test.ts', title)
const contested = (title: string) => test('reversals/contested-lines.test.ts', title)
const bookStore = `${payments}/books/book.store.ts`

/** After the sale: payouts, refunds, disputes, holds that end, and what was paid unnoticed. */
export const moneyMutants: Mutant[] = [
  mutant(
    'disputed-is-due',
    'M3: a disputed line is not paid out',
    { file: bookStore, find: 'when held_because is not null then', replace: 'when false then' },
    reversals('a disputed sale is not paid out; when the dispute is won it is, when it is lost platform bears it'),
  ),
  mutant(
    'refund-events-ignored',
    'M4: a refund made at the processor is booked',
    {
      file: `${payments}/webhooks/webhook.actions.ts`,
      find: 'if (isReversalEvent(event.type)) await syncReversals(trx, deps, order.id, event.intentId)',
      replace: '',
    },
    reversals('a refund made at the processor refunds the line; platform bears it until the seller is named'),
  ),
  mutant(
    'cleared-for-good',
    'an inquiry that an operator cleared contests again once it is a dispute',
    {
      file: `${payments}/reversals/reversal.ts`,
      find: 'stage !== null && stage !== reversal.cleared',
      replace: 'stage !== null && reversal.cleared === null',
    },
    contested('an inquiry that an operator cleared contests again once it is a dispute'),
  ),
  mutant(
    'lost-disputes-buy-again',
    'an account with a lost dispute buys again only after an operator allowed it',
    {
      file: `${payments}/purchases/purchase.actions.ts`,
      find: 'if (starts.hasLostDispute) throw purchaseBlocked()',
      replace: '',
    },
    contested('an account with a lost dispute buys again only after an operator allowed it'),
  ),
  mutant(
    'declines-without-end',
    'the fifth declined card expires the session',
    {
      file: `${payments}/webhooks/webhook.actions.ts`,
      find: 'if (event.type === DECLINED) await limitDeclines(trx, order.id)',
      replace: '',
    },
    test('orders/steps/sessions.test.ts', 'the fifth declined card expires the session, and four do not'),
  ),
]
