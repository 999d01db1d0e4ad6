import { type FoundAccount, searchAccounts } from '@nifty/api/auth/account-search'
import { useStore } from '../store/use-store.ts'

/** The most that a search takes. */
const AT_MOST = 200

/** Accounts of which only the ids are at hand, by id; without those that are deleted. */
export function useAccounts(userIds: (string | null)[]): Map<string, FoundAccount> {
  const ids = [...new Set(userIds)].filter((id) => id !== null).slice(0, AT_MOST)
  const input = ids.length > 0 ? { body: { ids } } : null
  const { data } = useStore('auth', searchAccounts, input, { revalidateOnFocus: false, keepPreviousData: true })
  return new Map(data?.accounts.map((account) => [account.userId, account]))
}
