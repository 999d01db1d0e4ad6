import { listFailedLogIns } from '@nifty/api/auth/ops'
import { useState } from 'react'
import { AccountLink } from '../links/account-link.tsx'
import { useAccounts } from '../links/use-accounts.ts'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { Table } from '../table/table.tsx'

const HOUR_MS = 3_600_000

/** Where passwords were guessed in the last hour, and which accounts were entered from there. */
export function FailedLogIns() {
  const [since] = useState(() => new Date(Date.now() - HOUR_MS).toISOString())
  const loaded = useStore('auth', listFailedLogIns, { query: { since } })
  const accounts = useAccounts(loaded.data?.addresses.flatMap(({ entered }) => entered) ?? [])
  return (
    <Section title="Failed log-ins of the last hour" loaded={loaded}>
      {({ addresses, addressesInAll, accountsInAll }) => (
        <>
          <Table
            caption="Failed log-ins"
            rows={addresses}
            rowKey={({ address }) => address}
            empty="None."
            columns={[
              { title: 'From', cell: ({ address }) => <span className="mono">{address}</span> },
              { title: 'Failed', isNumber: true, cell: ({ failed }) => failed },
              { title: 'Accounts', isNumber: true, cell: ({ accounts: tried }) => tried },
              {
                title: 'Entered',
                cell: ({ entered }) =>
                  entered.map((id) => <AccountLink key={id} id={id} name={accounts.get(id)?.username} />),
              },
            ]}
          />
          {addressesInAll > 0 && (
            <p className="muted">
              Addresses in all: {addressesInAll}, accounts: {accountsInAll}
            </p>
          )}
        </>
      )}
    </Section>
  )
}
