import type { Kysely, Transaction } from 'kysely'
import { alertOwner, lockOwnAccount } from '../accounts/account.actions.ts'
import type { ExistingAccount } from '../accounts/account.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import { deletePasskeysSince } from '../passkeys/passkey.store.ts'
import { isRecoveryCode, newRecoveryCode, normalizeCode, RECOVERY_CODES, recoveryHash } from './recovery-code.ts'
import {
  confirmTotpAt,
  consumeRecoveryCode,
  deleteSecondFactorSince,
  deleteTotp,
  findTotp,
  saveLastStep,
  saveRecoveryCodes,
  saveUnconfirmedTotp,
} from './second-factor.store.ts'
import { noSecondFactor, secondFactorOn, wrongCode } from './second-factor.ts'
import { openSecret, sealSecret } from './secret.ts'
import { newSecret, stepOf, uriOf } from './totp.ts'

type Trx = Transaction<Database>
type KeyConfig = Pick<Config, 'secondFactorKeys'>
type MailKey = Pick<Config, 'mailTokenKeys'>

export const hasSecondFactor = async (db: Kysely<Database>, accountId: string) =>
  (await findTotp(db, accountId))?.confirmedAt != null

/** Makes a secret for an app; log-ins need it once it is confirmed. */
export async function startTotp(trx: Trx, config: KeyConfig & Pick<Config, 'storeName'>, userId: string) {
  const { username } = await lockOwnAccount(trx, userId)
  if (await hasSecondFactor(trx, userId)) throw secondFactorOn()
  const secret = newSecret()
  await saveUnconfirmedTotp(trx, userId, sealSecret({ accountId: userId, secret }, config))
  return { secret, uri: uriOf(secret, { storeName: config.storeName, username }) }
}

/** Turns the second factor on. Returns the recovery codes. */
export async function confirmTotp(trx: Trx, config: KeyConfig & MailKey, userId: string, code: string) {
  const account = await lockOwnAccount(trx, userId)
  const totp = await findTotp(trx, userId)
  if (!totp) throw noSecondFactor()
  if (totp.confirmedAt) throw secondFactorOn()
  const step = stepOf(openSecret(totp, config), normalizeCode(code), totp)
  if (step === undefined) throw wrongCode()
  await confirmTotpAt(trx, userId, step)
  await alertOwner(trx, account, { what: 'second_factor_on', to: null }, config.mailTokenKeys)
  return makeRecoveryCodes(trx, userId)
}

/** Replaces the recovery codes, and returns the new ones. */
export async function replaceRecoveryCodes(trx: Trx, { mailTokenKeys }: MailKey, userId: string) {
  const account = await lockOwnAccount(trx, userId)
  if (!(await hasSecondFactor(trx, userId))) throw noSecondFactor()
  await alertOwner(trx, account, { what: 'recovery_codes_replaced', to: null }, mailTokenKeys)
  return makeRecoveryCodes(trx, userId)
}

/** Ends what was added beside the password at `since` or later, for an owner who just proved the mailbox. */
export async function deleteSignInMethodsSince(trx: Trx, accountId: string, since: Date) {
  await deleteSecondFactorSince(trx, accountId, since)
  await deletePasskeysSince(trx, accountId, since)
}

export const removeSecondFactor = async (trx: Trx, config: MailKey, userId: string) =>
  removeSecondFactorOf(trx, config, await lockOwnAccount(trx, userId))

/** The caller holds the account's row lock. */
export async function removeSecondFactorOf(trx: Trx, { mailTokenKeys }: MailKey, account: ExistingAccount) {
  if (!(await hasSecondFactor(trx, account.id))) throw noSecondFactor()
  await deleteTotp(trx, account.id)
  await alertOwner(trx, account, { what: 'second_factor_off', to: null }, mailTokenKeys)
}

/**
 * True if the code is one of the app, newer than the last accepted one, or an unused recovery code; it is used up then.
 * The caller holds the account's row lock and counts attempts. Throws 503 `second_factor_unavailable`.
 */
export async function consumeCode(trx: Trx, config: KeyConfig, accountId: string, typed: string) {
  const code = normalizeCode(typed)
  const totp = await findTotp(trx, accountId)
  if (!totp?.confirmedAt) return false
  if (isRecoveryCode(code)) return consumeRecoveryCode(trx, accountId, recoveryHash(code))
  const step = stepOf(openSecret(totp, config), code, totp)
  if (step === undefined) return false
  await saveLastStep(trx, accountId, step)
  return true
}

async function makeRecoveryCodes(trx: Trx, accountId: string) {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await saveRecoveryCodes(trx, accountId, codes.map(recoveryHash))
  return codes
}
