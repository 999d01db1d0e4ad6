import { startPasskeyStepUp } from '@nifty/api/auth/passkeys'
import {
  listStepUpMethods,
  type StepUpMethod,
  type StepUpProof,
  stepUp,
  stepUpChallenge,
} from '@nifty/api/auth/step-up'
import { loadPasskeyDevice, passkeyCodeMissing } from '../account/load-passkey-device.ts'
import { type ApiError, send } from '../api/api.ts'
import { getSession } from '../api/session.ts'
import { keepStepUp } from '../api/step-up.ts'
import { useEndpoint } from '../api/use-endpoint.ts'
import { type FoundWallet, requestAccount, signText } from '../wallet/ethereum.ts'
import { linkedWallet } from '../wallet/linked-wallet.ts'

/** Each resolves with the message to show, or undefined when the token is held. */
type Attempt = Promise<string | undefined>

const messageOf = ({ code, message }: ApiError) =>
  code === 'too_many_requests' ? 'Too many attempts. Please wait a minute and try again.' : message

async function prove(proof: StepUpProof): Attempt {
  const { token } = getSession()
  const outcome = await send(stepUp, { body: proof })
  if (!outcome.ok) return messageOf(outcome.error)
  keepStepUp(outcome.data.stepUp, token ?? '')
  return undefined
}

/** `code` is of the second factor, where the account has one. */
export const stepUpByPassword = (password: string, code: string | undefined): Attempt =>
  prove(code === undefined ? { password } : { passwordAndCode: { password, code } })

export async function stepUpByWallet(wallets: FoundWallet[]): Attempt {
  const challenge = await send(stepUpChallenge)
  if (!challenge.ok) return messageOf(challenge.error)
  const { address, message } = challenge.data
  const wallet = await linkedWallet(wallets, address)
  const account = wallet && (await requestAccount(wallet.provider, address).catch(() => undefined))
  if (account?.toLowerCase() !== address.toLowerCase())
    return `Please choose the wallet that is linked to your account: ${address}`
  try {
    return await prove({ wallet: { message, signature: await signText(wallet!.provider, address, message) } })
  } catch {
    return 'The wallet did not sign. Please try again, or use your password.'
  }
}

export async function stepUpByPasskey(): Attempt {
  const challenge = await send(startPasskeyStepUp)
  if (!challenge.ok) return messageOf(challenge.error)
  const device = await loadPasskeyDevice()
  if (!device) return passkeyCodeMissing
  const signed = await device.signWithPasskey(challenge.data.options)
  return 'problem' in signed ? signed.problem : prove({ passkey: signed.response })
}

/** Which authentication methods of a step-up the account has now. */
export function useStepUpMethods() {
  const { data } = useEndpoint(listStepUpMethods, {})
  const has = (method: StepUpMethod) => data?.methods.includes(method) ?? false
  return { needsCode: has('passwordAndCode'), canSign: has('wallet'), hasPasskey: has('passkey') }
}
