import { type FoundAccount, searchAccounts } from '@nifty/api/auth/account-search'
import { fullNameOf } from '@nifty/api/auth/full-name'
import type { EndpointBody } from '@nifty/api/endpoint'
import type { ReactNode } from 'react'
import { Time } from '../../ui/time.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { Email } from '../links/email.tsx'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'

type Props = { title: string; search: EndpointBody<typeof searchAccounts>; about?: ReactNode; aside?: ReactNode }

/** Accounts that a search finds, newest first; the first 50. */
export function FoundAccounts({ title, search, about, aside }: Props) {
  const loaded = useStore('auth', searchAccounts, { body: search }, { revalidateOnFocus: false })
  return (
    <Section title={title} about={about} loaded={loaded} aside={aside}>
      {({ accounts, next }) => (
        <>
          <Table
            caption={title}
            rows={accounts}
            rowKey={({ userId }) => userId}
            empty="No account."
            columns={[
              { title: 'Account', cell: ({ userId, username }) => <AccountLink id={userId} name={username} /> },
              { title: 'Name', cell: fullNameOf },
              {
                title: 'E-mail',
                cell: ({ email, emailConfirmed }) => (
                  <>
                    <Email address={email} />
                    {emailConfirmed === false && ' (not confirmed)'}
                  </>
                ),
              },
              { title: 'State', cell: statesOf },
              { title: 'Since', cell: ({ createdAt }) => createdAt && <Time at={createdAt} as="day" /> },
            ]}
          />
          {next && <p className="muted">The newest {accounts.length}. A narrower search finds others.</p>}
        </>
      )}
    </Section>
  )
}

function statesOf({ admin, suspended, frozen, deletionRequestedAt }: FoundAccount) {
  const bad = [suspended && 'suspended', frozen && 'frozen', deletionRequestedAt && 'being deleted'].filter(Boolean)
  return (
    <>
      {admin && <State name="seller" />} {bad.length > 0 && <State name={bad.join(', ')} kind="bad" />}
    </>
  )
}
