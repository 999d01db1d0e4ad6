import { mergeFavourites as mergeEndpoint } from '@nifty/api/catalog/favourites'
import { send } from '../../api/api.ts'
import { browserFavourites } from './browser-favourites.ts'

let merging: Promise<void> | undefined

/**
 * Gives the favourites of this browser to the account of the session, once for any number of callers. What could not be
 * sent stays in the browser for the next visit.
 */
export function mergeFavourites(): Promise<void> {
  const itemIds = [...browserFavourites.ids()]
  if (itemIds.length === 0) return Promise.resolve()
  merging ??= send(mergeEndpoint, { body: { itemIds } }).then((outcome) => {
    // A 400 would come again: storage has what is no id.
    if (outcome.ok || outcome.error.status === 400) browserFavourites.remove(itemIds)
    merging = undefined
  })
  return merging
}
