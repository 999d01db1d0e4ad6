import { searchAccounts } from '@nifty/api/auth/account-search'
import { useStore } from '../store/use-store.ts'
import { FoundOrders } from './found-orders.tsx'

/** Orders and sales of the found accounts; payments searches by the id of an account. */
export function OrdersOfAccounts({ search }: { search: string }) {
  const { data } = useStore('auth', searchAccounts, { body: { search } }, { revalidateOnFocus: false })
  const accountIds = data?.accounts.map(({ userId }) => userId) ?? []
  if (accountIds.length === 0) return null
  return <FoundOrders title="Their orders and sales" search={{ accountIds }} empty="They bought and sold nothing." />
}
