import { pages } from '@nifty/api/pages'
import type { giftEnded, giftOffered } from '@nifty/events/minting'
import { sha256 } from '@nifty/service-kit/base/secrets'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import type { Store } from '../mails/email-layout.ts'
import { queueMail } from '../mails/mail.actions.ts'
import { dropWaitingMailsOf } from '../mails/mail.store.ts'
import { mailedWork } from '../mails/mailed-work.ts'
import { findRecipient } from '../recipients/recipient.store.ts'
import { giftAccepted, giftLapsed, giftOf } from './gift.templates.ts'

type Trx = Transaction<Database>

const TEMPLATE = 'gift'

/** Of each link: a minting database that was restored numbers its links from the beginning again. */
const subjectOf = ({ giftId, link }: { giftId: string; link: string }) => `${giftId}.${sha256(link)}`

/**
 * The link to claim a gift, once. The mail with a former link is not sent any more if it still waits. Whether the
 * address has an account makes no difference.
 */
export async function queueGiftMail(trx: Trx, event: Static<typeof giftOffered.data>, store: Store) {
  const { giftId, text, until } = event
  const work = mailedWork(store, event)
  await dropWaitingMailsOf(trx, { template: TEMPLATE, subjectPrefix: `${giftId}.` })
  await queueMail(trx, {
    store,
    template: TEMPLATE,
    subjectId: subjectOf(event),
    recipient: event.email,
    // In the fragment, which browsers send to no server.
    content: ({ token }) => giftOf({ work, text, url: `${store.publicUrl}${pages.gift.path}#${token}`, until }),
    sealedToken: event.link,
    expiresAt: new Date(until),
  })
}

/** Tells the giver what became of a gift, but not who has it. The mail with its link is not sent any more. */
export async function queueGiftEndedMail(trx: Trx, event: Static<typeof giftEnded.data>, store: Store) {
  const { giftId, giverId, name, why, orderId } = event
  await dropWaitingMailsOf(trx, { template: TEMPLATE, subjectPrefix: `${giftId}.` })
  if (why !== 'claimed' && why !== 'lapsed') return
  const giver = await findRecipient(trx, giverId)
  if (!giver) return
  const action =
    orderId === null
      ? { label: 'See the work', url: mailedWork(store, event).url }
      : { label: 'See your order', url: `${store.publicUrl}${pages.order.path.replace(':id', orderId)}` }
  await queueMail(trx, {
    store,
    template: `gift-${why}`,
    subjectId: giftId,
    recipient: giver.email,
    content: why === 'claimed' ? giftAccepted({ name, action }) : giftLapsed({ name, action }),
  })
}
