import { expireSession } from '../checkout/session.actions.ts'
import { lapseHold } from '../payments/capture.actions.ts'
import { settleRefund } from '../refunds/refund.actions.ts'
import type { Thing } from './object.ts'
import { type Books, byItself } from './store.ts'
import type { Draft } from './transaction.ts'

const keptAnswersSeconds = 24 * 60 * 60

/** Lets everything happen that is due by itself: sessions expire, holds lapse, refunds settle, old keys are forgotten. */
export function letTimePass(books: Books) {
  for (const thing of books.due()) books.commit(byItself, (draft) => happen(draft, thing))

  const forgotten = books.clock.seconds() - keptAnswersSeconds
  for (const [key, { created }] of books.answers) {
    if (created > forgotten) break
    books.answers.delete(key)
  }
}

function happen(draft: Draft, thing: Thing) {
  if (thing.object === 'checkout.session') expireSession(draft, thing)
  if (thing.object === 'sandbox.payment') lapseHold(draft, draft.need('payment_intent', thing.id))
  if (thing.object === 'sandbox.settlement') settleRefund(draft, thing)
}
