import useSWRImmutable from 'swr/immutable'
import { request } from './api.ts'

/** What the operator decided and the front end must know. The gateway answers it from its environment. */
export type Config = {
  /** The chain that a wallet is asked to be on. */
  chainId: number
  /** Where a wallet finds that chain, when it has to be added. */
  chainRpcUrl?: string
  /** Where transactions can be looked up; none for a local chain. */
  explorerUrl?: string
  /** Where a buyer may be sent to pay. Any other address is refused. */
  payOrigins?: string[]
  /** Version of the terms in force. */
  termsVersion?: string
  tagManagerUrl?: string
  analyticsUrl?: string
  /** The video behind log-in, sign-up and reset. */
  videoUrl?: string
}

const fallback: Config = { chainId: 137 }

export function useConfig(): Config {
  const { data } = useSWRImmutable<Config>('/config.json', request)
  return data ?? fallback
}
