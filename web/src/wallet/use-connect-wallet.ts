import { send } from '../api.ts'
import { useBusy } from '../ui/use-busy.ts'
import { askForAccount, type FoundWallet, signText } from './ethereum.ts'

type Challenge = { message: string }

const refused = 'Failed to connect MetaMask.'

/** Links a wallet: its first account, with a signature that proves it, unless the person will not sign. */
export function useConnectWallet(userId: string) {
  const [busy, run] = useBusy()

  /** Answers the linked address, or what to say instead. */
  const connect = (wallet: FoundWallet) =>
    run(async (): Promise<{ linked: string } | { problem: string }> => {
      const address = await askForAccount(wallet.provider).catch(() => undefined)
      if (!address) return { problem: refused }
      const proof = await prove(wallet, address)
      const outcome = await send('/api/wallet/connect-metamask', {
        withToken: true,
        body: { userId, metamaskAddress: address, ...proof },
      })
      if (outcome.ok) return { linked: address }
      const { status, fromServer, message } = outcome.error
      if (status !== 400) return { problem: refused }
      return { problem: fromServer ? message : 'MetaMask address is already linked to another account' }
    })

  return { busy, connect }
}

/** Without a signature the address is linked all the same, as unproven: the server decides what that is worth. */
async function prove({ provider }: FoundWallet, address: string) {
  const challenge = await send<Challenge>('/api/wallet/challenge', { withToken: true, body: { address } })
  if (!challenge.ok) return {}
  const { message } = challenge.data
  try {
    return { message, signature: await signText(provider, address, message) }
  } catch {
    return {}
  }
}
