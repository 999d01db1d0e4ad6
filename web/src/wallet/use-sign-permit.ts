import { createPermit, requestPermit } from '@nifty/api/minting/public'
import { useCurrentUser } from '../account/use-current-user.ts'
import { request, send } from '../api/api.ts'
import { useConfig } from '../api/use-config.ts'
import { requestAccount, signTypedData, switchChain } from './ethereum.ts'
import { linkedWallet } from './linked-wallet.ts'
import { useWallets } from './use-wallets.ts'

/** Resolves to whether the store has a permit for the token. */
export type SignPermit = (token: { contract: string; identifier: string }) => Promise<boolean>

/**
 * Returns a function that has the owner sign and submit a permit, with which the store may deliver a sold token from
 * the owner's wallet.
 */
export function useSignPermit(): SignPermit {
  const wallets = useWallets()
  const { user } = useCurrentUser()
  const config = useConfig()
  return async ({ contract, identifier }) => {
    const wallet = await linkedWallet(wallets, user?.metamaskAddress)
    if (!wallet) return false
    try {
      const { typedData, deadline } = await request(requestPermit, { params: { contract, identifier } })
      const account = await requestAccount(wallet.provider, user?.metamaskAddress)
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
