import { AccountLink } from './account-link.tsx'
import { Email } from './email.tsx'
import { useAccounts } from './use-accounts.ts'

/** An account of which only the id is at hand, with the address below its name. */
export function NamedAccount({ id }: { id: string }) {
  const account = useAccounts([id]).get(id)
  return (
    <>
      <AccountLink id={id} name={account?.username} />
      {account && (
        <>
          <br />
          <Email address={account.email} />
        </>
      )}
    </>
  )
}
