import type { NewPasskeyResponse, PasskeyResponse } from '@nifty/api/auth/passkeys'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Transaction } from 'kysely'
import { alertOwner, lockOwnAccount } from '../accounts/account.actions.ts'
import type { ExistingAccount } from '../accounts/account.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import {
  type CeremonyDeps,
  consumeChallengeOf,
  optionsToRegister,
  optionsToSign,
  verifyNewPasskey,
  verifySignature,
} from './ceremony.ts'
import {
  deletePasskey,
  findPasskeyByCredential,
  findPasskeysOf,
  insertPasskey,
  savePasskeyName,
  savePasskeyUse,
} from './passkey.store.ts'
import {
  checkName,
  invalidPasskey,
  MAX_PASSKEYS,
  noPasskey,
  passkeyExists,
  passkeyNotFound,
  tooManyPasskeys,
} from './passkey.ts'

type Trx = Transaction<Database>
type MailKey = Pick<Config, 'mailTokenKeys'>
type ChangeDeps = CeremonyDeps & { config: MailKey }

/** Issues the options for a new passkey. */
export const startRegistration = ({ db, config }: CeremonyDeps, userId: string) =>
  inTransaction(db, async (trx) => {
    const account = await lockOwnAccount(trx, userId)
    const passkeys = await findPasskeysOf(trx, userId)
    if (passkeys.length >= MAX_PASSKEYS) throw tooManyPasskeys()
    return optionsToRegister({ db: trx, config }, account, passkeys)
  })

/** Stores a passkey that was made with the options, and mails that to the owner. */
export async function register(
  deps: ChangeDeps,
  userId: string,
  { name, response }: { name: string; response: NewPasskeyResponse },
) {
  const checkedName = checkName(name)
  const challenge = await consumeChallengeOf(deps, response, { purpose: 'register', accountId: userId })
  const credential = await verifyNewPasskey(deps, response, challenge)
  return inTransaction(deps.db, async (trx) => {
    const account = await lockOwnAccount(trx, userId)
    if ((await findPasskeysOf(trx, userId)).length >= MAX_PASSKEYS) throw tooManyPasskeys()
    const passkey = await insertPasskey(trx, { ...credential, accountId: userId, name: checkedName })
    if (!passkey) throw passkeyExists()
    await alertOwner(trx, account, { what: 'passkey_added', to: null }, deps.config.mailTokenKeys)
    return passkey
  })
}

export async function rename(
  trx: Trx,
  { mailTokenKeys }: MailKey,
  userId: string,
  passkey: { id: string; name: string },
) {
  const account = await lockOwnAccount(trx, userId)
  const renamed = await savePasskeyName(trx, { id: passkey.id, accountId: userId }, checkName(passkey.name))
  if (!renamed) throw passkeyNotFound()
  await alertOwner(trx, account, { what: 'passkey_renamed', to: null }, mailTokenKeys)
  return renamed
}

export async function remove(trx: Trx, { mailTokenKeys }: MailKey, userId: string, id: string) {
  const account = await lockOwnAccount(trx, userId)
  if (!(await deletePasskey(trx, { id, accountId: userId }))) throw passkeyNotFound()
  await alertOwner(trx, account, { what: 'passkey_removed', to: null }, mailTokenKeys)
}

export const hasPasskey = async (db: CeremonyDeps['db'], accountId: string) =>
  (await findPasskeysOf(db, accountId)).length > 0

/** Issues the options for a step-up. */
export async function startStepUp(deps: CeremonyDeps, userId: string) {
  const passkeys = await findPasskeysOf(deps.db, userId)
  if (passkeys.length === 0) throw noPasskey()
  return optionsToSign(deps, { purpose: 'step_up', accountId: userId }, passkeys)
}

/** Issues the options for a log-in with any passkey of this store. */
export const startLogin = (deps: CeremonyDeps) => optionsToSign(deps, { purpose: 'log_in', accountId: null }, [])

/**
 * Verifies a signature of a passkey of this account and stores its counter. The caller holds the account's row lock and
 * consumed the challenge. Throws 400 `invalid_passkey`.
 */
export async function usePasskey(
  trx: Trx,
  { config }: Pick<CeremonyDeps, 'config'>,
  { id }: Pick<ExistingAccount, 'id'>,
  signed: { response: PasskeyResponse; challenge: string },
) {
  const passkey = await findPasskeyByCredential(trx, signed.response.id)
  if (passkey?.accountId !== id) throw invalidPasskey()
  await savePasskeyUse(trx, passkey.id, await verifySignature({ config }, passkey, signed))
}
