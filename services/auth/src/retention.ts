import { type Kysely, sql } from 'kysely'
import type { Database } from './db.ts'
import { KNOWN_DAYS } from './logins/login.store.ts'
import { deleteEndedGifts } from './obligations/obligation.store.ts'
import type { Pictures } from './pictures/picture.actions.ts'

/** Deletes expired rows and orphaned files. Queries check expiry themselves, so the schedule is uncritical. */
export async function deleteExpired(db: Kysely<Database>, pictures: Pictures[]) {
  await sql`delete from session where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from login_failure where failed_at < now() - interval '1 day'`.execute(db)
  await sql`delete from known_origin where seen_at < now() - make_interval(days => ${KNOWN_DAYS})`.execute(db)
  await sql`delete from email_confirmation where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from password_reset where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from freeze_link where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from wallet_challenge where expires_at < now()`.execute(db)
  await sql`delete from passkey_challenge where expires_at < now()`.execute(db)
  await sql`delete from login_challenge where expires_at < now()`.execute(db)
  await sql`delete from totp where confirmed_at is null and created_at < now() - interval '1 day'`.execute(db)
  await sql`delete from quota_use where at < now() - interval '1 day'`.execute(db)
  await sql`delete from open_line where deliver_by < now() - interval '2 days'`.execute(db)
  await sql`delete from open_bid where latest_end_at < now() - interval '2 days'`.execute(db)
  await deleteEndedGifts(db)
  await sql`delete from username_reservation where expires_at < now()`.execute(db)
  for (const each of pictures) await each.removeOrphans()
}
