import { type Mutant, mutant } from './mutant.ts'

const payments = 'services/payments/src'
const test = (file: string, title: string) => ({ file: `${payments}/${file}`, title })
const reversals = (title: string) => test('reversals/reversals.test.ts', title)
const bookStore = `${payments}/books/book.store.ts`

/** After the sale: payouts, refunds, disputes, holds that end, and what was paid unnoticed. */
export const moneyMutants: Mutant[] = [
  mutant(
    'disputed-is-due',
    'M3: a disputed line is not paid out',
    { file: bookStore, find: "when l.state not in ('completed', 'written_off')", replace: 'when false' },
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
]
