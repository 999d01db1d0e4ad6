import { connectMetamask, walletChallenge } from '@nifty/api/auth/public'
import { send } from '../api/api.ts'
import { useBusy } from '../ui/use-busy.ts'
import { type FoundWallet, requestAccount, signText } from './ethereum.ts'

const failed = 'Failed to connect MetaMask.'

/** Links a wallet's active account, proven with a signature; a rejection in the wallet links nothing. */
export function useConnectWallet(userId: string) {
  const [busy, run] = useBusy()

  /** Resolves to the linked address, or to the message to show. */
  const connect = (wallet: FoundWallet) =>
    run(async (): Promise<{ linked: string } | { problem: string }> => {
      const address = await requestAccount(wallet.provider).catch(() => undefined)
      if (!address) return { problem: failed }
      const proof = await signChallenge(wallet, address)
      if (!proof) return { problem: failed }
      const outcome = await send(connectMetamask, { body: { userId, metamaskAddress: address, ...proof } })
      if (outcome.ok) return { linked: address }
      const { status, fromServer, message } = outcome.error
      if (status !== 400) return { problem: failed }
      return { problem: fromServer ? message : 'MetaMask address is already linked to another account' }
    })

  return { busy, connect }
}

/** Undefined when there is no text to sign, or it was not signed. */
async function signChallenge({ provider }: FoundWallet, address: string) {
  const challenge = await send(walletChallenge, { body: { address } })
  if (!challenge.ok) return undefined
  const { message } = challenge.data
  try {
    return { message, signature: await signText(provider, address, message) }
  } catch {
    return undefined
  }
}
