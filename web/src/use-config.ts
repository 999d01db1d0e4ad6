import { type FrontEndConfig, getFrontEndConfig } from '@nifty/api/gateway'
import useSWRImmutable from 'swr/immutable'
import { request } from './api.ts'

const fallback: FrontEndConfig = { chainId: 137 }

/** The operator's settings for the front end, from the gateway's environment. */
export function useConfig(): FrontEndConfig {
  const { data } = useSWRImmutable(getFrontEndConfig.path, () => request(getFrontEndConfig))
  return data ?? fallback
}
