import { type Contents, getText } from '@nifty/api/content'
import { useEndpoint } from '../api/use-endpoint.ts'
import { textsInDocument } from './texts.ts'

const options = { revalidateIfStale: false, revalidateOnFocus: false, revalidateOnReconnect: false }

/** A text of the shop. It does not change while the app runs. */
export function useText<Name extends keyof Contents>(name: Name) {
  const query = { v: textsInDocument().hashes[name] }
  const { data, ...rest } = useEndpoint(getText, { params: { name }, query }, options)
  return { data: data as Contents[Name] | undefined, ...rest }
}
