import { searchAccounts } from '@nifty/api/auth/account-search'
import { type FoundItem, searchItems } from '@nifty/api/catalog/item-search'
import { parseLookup } from '@nifty/api/lookup'
import useSWR from 'swr'
import { request, type StoreError } from '../store/request.ts'
import type { Loaded } from '../store/use-store.ts'

/** The works of at most so many artists of a name. */
const ARTISTS = 5

/** Works with this text in their title, of this page, or by artists of this name. */
export function useWorksNamed(search: string): Loaded<FoundItem[]> {
  const key = ['works named', search]
  const { data, error, mutate } = useSWR(key, () => worksNamed(search), { revalidateOnFocus: false })
  return { data, error: error as StoreError | undefined, reload: () => void mutate() }
}

async function worksNamed(search: string): Promise<FoundItem[]> {
  const { kind } = parseLookup(search)
  const isName = kind === 'username' || kind === 'text'
  const [titled, artists] = await Promise.all([
    kind === 'username' ? [] : request('catalog', searchItems, { body: { search } }).then(({ items }) => items),
    isName ? request('auth', searchAccounts, { body: { search } }).then(({ accounts }) => accounts) : [],
  ])
  const theirs = await Promise.all(
    artists
      .filter(({ admin }) => admin)
      .slice(0, ARTISTS)
      .map(({ userId }) => request('catalog', searchItems, { body: { creatorId: userId } })),
  )
  const found = [...titled, ...theirs.flatMap(({ items }) => items)]
  return [...new Map(found.map((work) => [work.itemId, work])).values()]
}
