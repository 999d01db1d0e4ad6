import { getTokenMetadata } from '@nifty/api/minting/public'
import { useEndpoint } from '../api/use-endpoint.ts'

/** The metadata of a token, with the hash of its image; it does not change. Undefined until it is loaded. */
export const useTokenMetadata = (params: { contract: string; identifier: string }) =>
  useEndpoint(getTokenMetadata, { params }, { revalidateIfStale: false, shouldRetryOnError: false }).data
