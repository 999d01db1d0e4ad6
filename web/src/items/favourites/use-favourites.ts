import { addFavourite, listFavourites, removeFavourite } from '@nifty/api/catalog/favourites'
import { useSyncExternalStore } from 'react'
import useSWR from 'swr'
import { type ApiError, request, send } from '../../api/api.ts'
import { useSession } from '../../api/session.ts'
import { browserFavourites } from './browser-favourites.ts'
import { mergeFavourites } from './merge-favourites.ts'

type Favourites = { itemIds: string[] }

/** The account's favourites, after those of this browser were added to them. */
async function fetchFavourites(): Promise<Favourites> {
  await mergeFavourites()
  return request(listFavourites)
}

/** Milliseconds that the account's list is kept; changes of this tab are in it at once. */
const cachedFor = 60_000

/** The favourites of the account, or without a session those of this browser. Newest first; undefined while loading. */
export function useFavourites() {
  const { token } = useSession()
  const inBrowser = useSyncExternalStore(browserFavourites.subscribe, browserFavourites.ids)
  const { data, error, mutate } = useSWR<Favourites, ApiError>(token && listFavourites.path, fetchFavourites, {
    dedupingInterval: cachedFor,
    revalidateOnFocus: false,
  })
  const itemIds = token ? data?.itemIds : inBrowser

  /** Shows the change at once, and takes it back with a message if the server refuses. Resolves with that message. */
  async function set(id: string, favourite: boolean): Promise<string | undefined> {
    if (!token) {
      if (!favourite) browserFavourites.remove([id])
      else if (!browserFavourites.add(id)) return 'Log in to keep more favourites.'
      return undefined
    }
    const others = (list: Favourites | undefined) => list?.itemIds?.filter((itemId) => itemId !== id) ?? []
    await mutate((list) => ({ itemIds: favourite ? [id, ...others(list)] : others(list) }), { revalidate: false })
    const outcome = await send(favourite ? addFavourite : removeFavourite, { params: { id } })
    // Clicked before the list had arrived: it has the other favourites.
    if (!data) await mutate()
    // Removed in another tab before.
    if (outcome.ok || (!favourite && outcome.error.status === 404)) return undefined
    await mutate((list) => ({ itemIds: favourite ? others(list) : [id, ...others(list)] }), { revalidate: false })
    return outcome.error.message
  }

  return { itemIds, error, set, reload: () => mutate() }
}
