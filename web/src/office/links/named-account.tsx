import { searchAccounts } from '@nifty/api/auth/account-search'
import { useStore } from '../store/use-store.ts'
import { AccountLink } from './account-link.tsx'

/** An account of which only the id is at hand, with the address below its name. */
export function NamedAccount({ id }: { id: string }) {
  const { data } = useStore('auth', searchAccounts, { body: { ids: [id] } }, { revalidateOnFocus: false })
  const account = data?.accounts[0]
  return (
    <>
      <AccountLink id={id} name={account?.username} />
      {account && (
        <>
          <br />
          {account.email}
        </>
      )}
    </>
  )
}
