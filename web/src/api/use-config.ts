import { type Company, type FrontEndConfig, getFrontEndConfig } from '@nifty/api/gateway'
import useSWRImmutable from 'swr/immutable'
import { request } from './api.ts'

/** Until the settings are loaded. The texts are empty, so that no wrong ones are shown. */
const fallback: FrontEndConfig = {
  chainId: 137,
  store: { name: '', tagline: '' },
  company: { name: '', number: '', register: '', address: [], email: '' },
}

/** The operator's settings for the front end, from the gateway's environment. */
export function useConfig(): FrontEndConfig {
  const { data } = useSWRImmutable(getFrontEndConfig.path, () => request(getFrontEndConfig))
  return data ?? fallback
}

/** Also with settings of a gateway of an older release, which names no company. */
export const useCompany = (): Company => useConfig().company ?? fallback.company
