import { getFrontEndConfig } from '@nifty/api/gateway'
import { useSWRConfig } from 'swr'
import { preloaded } from '../../api/preloaded.ts'

/** Loads the settings anew, such as after a change of the terms. Apart, because the first visit does not need it. */
export function useReloadConfig() {
  const { mutate } = useSWRConfig()
  return () => {
    // Those that the document preloads are the former ones.
    void preloaded.take(getFrontEndConfig.path)
    return mutate(getFrontEndConfig.path)
  }
}
