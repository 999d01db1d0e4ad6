import { useConfig } from '../use-config.ts'
import { askForAccount, signTypedData, switchChain } from './ethereum.ts'
import { askForPermit, givePermit } from './permit.ts'
import { useWallets } from './use-wallets.ts'

/** Answers a function that has the owner sign a permit for one token. It answers whether the store now has it. */
export function useSignPermit(token: { contract: string; identifier: string }) {
  const [wallet] = useWallets()
  const config = useConfig()
  return async (): Promise<boolean> => {
    if (!wallet) return false
    try {
      const { typedData, deadline } = await askForPermit(token)
      const account = await askForAccount(wallet.provider)
      if (!account) return false
      // A wallet refuses typed data that is meant for another chain than its own.
      await switchChain(wallet.provider, config)
      const signature = await signTypedData(wallet.provider, account, typedData)
      const { contract, identifier } = token
      return (await givePermit({ contract, identifier }, deadline, signature)).ok
    } catch {
      // The owner would not sign, or the store did not answer: nothing is listed.
      return false
    }
  }
}
