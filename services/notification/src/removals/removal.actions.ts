import { pages } from '@nifty/api/pages'
import type { profilePartsRemoved } from '@nifty/events/auth'
import type { itemHidden } from '@nifty/events/catalog'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import type { Store } from '../mails/email-layout.ts'
import { queueMail } from '../mails/mail.actions.ts'
import { findRecipient } from '../recipients/recipient.store.ts'
import * as templates from './removal.templates.ts'

type Trx = Transaction<Database>

const contactUrlOf = ({ publicUrl }: Store) => publicUrl + pages.contact.path

/** To the owner of a profile, about what an operator removed from it. */
export const queueProfilePartsRemoved = (trx: Trx, event: Static<typeof profilePartsRemoved.data>, store: Store) =>
  queueMail(trx, {
    store,
    template: 'profile-parts-removed',
    subjectId: `${event.userId}.${event.at}`,
    recipient: event.email,
    content: templates.profilePartsRemoved({ ...event, storeName: store.name, contactUrl: contactUrlOf(store) }),
  })

/** To the owner of a work that an operator hid. Nothing to a deleted account. */
export async function queueWorkHidden(trx: Trx, event: Static<typeof itemHidden.data>, store: Store) {
  const owner = await findRecipient(trx, event.userId)
  if (!owner || owner.deletedAt !== null) return
  await queueMail(trx, {
    store,
    template: 'work-hidden',
    subjectId: `${event.itemId}.${event.at}`,
    recipient: owner.email,
    content: templates.workHidden({ ...event, contactUrl: contactUrlOf(store) }),
  })
}
