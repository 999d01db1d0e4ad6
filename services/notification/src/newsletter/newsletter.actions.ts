import { switchNotifications } from '@nifty/api/auth/internal'
import { invalid } from '@nifty/service-kit/base/errors'
import { type Keys, randomToken, seal, sha256 } from '@nifty/service-kit/base/secrets'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { Store } from '../mails/email-layout.ts'
import { queueMail } from '../mails/mail.actions.ts'
import { unsubscribeUrl } from '../unsubscribe/unsubscribe-token.ts'
import { confirmSubscription } from './newsletter.templates.ts'

/**
 * Stores an unconfirmed subscription and queues the mail that confirms it. At most one mail per address in 24 hours, so
 * that the form cannot be used to flood a mailbox. The result does not reveal whether the address is subscribed.
 */
export async function subscribe(
  trx: Transaction<Database>,
  { email, store, mailTokenKeys }: { email: string; store: Store; mailTokenKeys: Keys },
) {
  const token = randomToken()
  const tokenHash = sha256(token)
  const address = email.toLowerCase()
  const requested = await trx
    .insertInto('subscriber')
    .values({ email: address, tokenHash, confirmedAt: null })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .doUpdateSet({ tokenHash, requestedAt: sql`now()` })
        .where('subscriber.confirmedAt', 'is', null)
        .where('subscriber.requestedAt', '<', sql<Date>`now() - interval '24 hours'`),
    )
    .returning('id')
    .executeTakeFirst()
  if (!requested) return
  await queueMail(trx, {
    store,
    template: 'newsletter',
    subjectId: tokenHash,
    recipient: email,
    content: (placeholders) =>
      confirmSubscription({
        url: `${store.publicUrl}/accept?newsletter=${placeholders.token}`,
        unsubscribeUrl: unsubscribeUrl(store.publicUrl, placeholders.unsubscribe),
        storeName: store.name,
      }),
    unsubscribe: { list: 'newsletter', id: requested.id },
    sealedToken: seal(token, mailTokenKeys),
  })
}

/** Idempotent: following the same link again succeeds. */
export async function confirm(trx: Transaction<Database>, token: string) {
  const { numUpdatedRows } = await trx
    .updateTable('subscriber')
    .set({ confirmedAt: sql`coalesce(confirmed_at, now())` })
    .where('tokenHash', '=', sha256(token))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw invalid('invalid_link', 'This link is invalid or has expired.')
}

/**
 * A confirmed subscription ends an earlier refusal by the account with this address. Throws 503 while auth does not
 * respond.
 */
export async function wantNews({ db, auth }: { db: Kysely<Database>; auth: ServiceClient }, token: string) {
  const { rows } = await sql<{ userId: string }>`
    select user_id from recipient join subscriber on lower(recipient.email) = subscriber.email
    where subscriber.token_hash = ${sha256(token)} and deleted_at is null and refuses_news`.execute(db)
  for (const { userId } of rows)
    await auth(switchNotifications, { params: { id: userId }, body: { unsubscribeNews: false } })
}
