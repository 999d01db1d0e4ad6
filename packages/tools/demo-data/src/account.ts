/** An account of the demo, as `run.json` names it. */
export type DemoAccount = {
  role: 'creator' | 'collector'
  email: string
  password: string
  username: string
  userId: string
  /** Funded on the local chain. */
  wallet: { address: string; privateKey: string }
}
