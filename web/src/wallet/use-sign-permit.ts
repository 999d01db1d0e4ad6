import { createPermit, requestPermit } from '@nifty/api/minting/public'
import { request, send } from '../api.ts'
import { useConfig } from '../use-config.ts'
import { requestAccount, signTypedData, switchChain } from './ethereum.ts'
import { useWallets } from './use-wallets.ts'

/**
 * Returns a function that has the owner sign and submit a permit, with which the store may deliver a sold token from the
 * owner's wallet. It resolves to whether the store has the permit.
 */
export function useSignPermit({ contract, identifier }: { contract: string; identifier: string }) {
  const [wallet] = useWallets()
  const config = useConfig()
  return async (): Promise<boolean> => {
    if (!wallet) return false
    try {
      const { typedData, deadline } = await request(requestPermit, { params: { contract, identifier } })
      const account = await requestAccount(wallet.provider)
      if (!account) return false
      // Wallets refuse typed data for another chain than the active one.
      await switchChain(wallet.provider, config)
      const signature = await signTypedData(wallet.provider, account, typedData)
      return (await send(createPermit, { body: { contract, identifier, deadline, signature } })).ok
    } catch {
      // The owner refused or a request failed: nothing is listed.
      return false
    }
  }
}
