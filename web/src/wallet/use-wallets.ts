import { useEffect, useState } from 'react'
import { type FoundWallet, findWallets } from './ethereum.ts'

/** The browser's wallets. Some announce themselves after the page has loaded. */
export function useWallets(): FoundWallet[] {
  const [wallets, setWallets] = useState<FoundWallet[]>([])
  useEffect(() => findWallets(setWallets), [])
  return wallets
}
