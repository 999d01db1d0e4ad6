import { useEffect, useState } from 'react'
import { type FoundWallet, findWallets } from './ethereum.ts'

/** The wallets of this browser. Some announce themselves a moment after the page is there. */
export function useWallets(): FoundWallet[] {
  const [wallets, setWallets] = useState<FoundWallet[]>([])
  useEffect(() => findWallets(setWallets), [])
  return wallets
}
