import type { DemoAccount } from '@nifty/demo-data/account'

/** `$NIFTY_HOME/run.json`: addresses, demo accounts and test cards of a running store. */
export type RunFile = {
  url: string
  mailboxUrl?: string
  processorUrl?: string
  chainRpcUrl: string
  chainId: number
  contracts: { collection: string; delivery: string }
  accounts: DemoAccount[]
  cards: { approved: string; declined: string }
}

export const cards = { approved: '4242424242424242', declined: '4000000000000002' }
