import {
  createPasskey,
  listPasskeys,
  removePasskey as removeEndpoint,
  renamePasskey as renameEndpoint,
  startPasskey,
} from '@nifty/api/auth/passkeys'
import { send } from '../api/api.ts'
import { useEndpoint } from '../api/use-endpoint.ts'
import { loadPasskeyDevice, passkeyCodeMissing } from './load-passkey-device.ts'

/** The passkeys of the account. */
export const usePasskeys = () => useEndpoint(listPasskeys, {})

/** Has the browser make a passkey and stores it. Resolves with the message to show, or undefined after a success. */
export async function addPasskey(name: string): Promise<string | undefined> {
  const started = await send(startPasskey)
  if (!started.ok) return started.error.message
  const device = await loadPasskeyDevice()
  if (!device) return passkeyCodeMissing
  const made = await device.makePasskey(started.data.options)
  if ('problem' in made) return made.problem
  const outcome = await send(createPasskey, { body: { name, response: made.response } })
  return outcome.ok ? undefined : outcome.error.message
}

export const renamePasskey = (id: string, name: string) => send(renameEndpoint, { params: { id }, body: { name } })

export const removePasskey = (id: string) => send(removeEndpoint, { params: { id } })
