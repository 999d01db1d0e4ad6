import { createHash, randomBytes } from 'node:crypto'
import { invalid } from '@nifty/service-kit/errors'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { queueLetter } from '../mails/mail.actions.ts'
import { confirmSubscription } from './newsletter.templates.ts'

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/**
 * Notes the wish and asks for its confirmation, at most once a day: whoever types a stranger's address in, again and
 * again, sends that stranger one mail. The caller learns nothing of who subscribes already.
 */
export async function subscribe(
  trx: Transaction<Database>,
  { email, publicUrl }: { email: string; publicUrl: string },
) {
  const token = randomBytes(32).toString('base64url')
  const address = email.toLowerCase()
  const asked = await trx
    .insertInto('subscriber')
    .values({ email: address, tokenHash: hashOf(token), confirmedAt: null })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .doUpdateSet({ tokenHash: hashOf(token), askedAt: sql`now()` })
        .where('subscriber.confirmedAt', 'is', null)
        .where('subscriber.askedAt', '<', sql<Date>`now() - interval '24 hours'`),
    )
    .returning('askedAt')
    .executeTakeFirst()
  if (!asked) return
  await queueLetter(trx, {
    template: 'newsletter',
    subjectId: hashOf(token).toString('hex'),
    recipient: email,
    letter: confirmSubscription({ url: `${publicUrl}/accept?newsletter=${token}` }),
  })
}

/** A second click on the same link answers as the first one did. */
export async function confirm(trx: Transaction<Database>, token: string) {
  const { numUpdatedRows } = await trx
    .updateTable('subscriber')
    .set({ confirmedAt: sql`coalesce(confirmed_at, now())` })
    .where('tokenHash', '=', hashOf(token))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw invalid('invalid_link', 'This link is invalid or has expired.')
}
