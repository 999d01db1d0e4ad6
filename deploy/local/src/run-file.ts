/** `$NIFTY_HOME/run.json`: where everything is, for people, tests and tools. */
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

export type DemoAccount = {
  role: 'creator' | 'collector'
  email: string
  password: string
  username: string
  userId: string
  /** Funded on the local chain. */
  wallet: { address: string; privateKey: string }
}

export const cards = { approved: '4242424242424242', declined: '4000000000000002' }
