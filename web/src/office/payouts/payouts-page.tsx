import { searchAccounts } from '@nifty/api/auth/account-search'
import { readAccounts } from '@nifty/api/auth/usernames'
import { csv } from '@nifty/api/csv'
import { listPayouts, listUnpaidShares, type Payouts, recordPayout, returnPayout } from '@nifty/api/payments/ops-money'
import { payoutRows } from '@nifty/api/payments/payout-rows'
import { formatPrice } from '@nifty/api/price'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Price } from '../../ui/price.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Time } from '../../ui/time.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { Action, Effects } from '../action/action.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { Email } from '../links/email.tsx'
import { Page } from '../shell/page.tsx'
import { request } from '../store/request.ts'
import { showFailure } from '../store/show-failure.ts'
import { useStore } from '../store/use-store.ts'
import { part } from '../table/part.ts'
import { Contents, Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'
import { RecordPastPayout } from './record-past-payout.tsx'
import { UnpaidShareTable } from './unpaid-share-table.tsx'

type Due = Payouts['due'][number]

async function save(due: Due[]) {
  const accounts = await readAccounts(
    (ids) => request('auth', searchAccounts, { body: { ids } }),
    due.map(({ userId }) => userId),
  )
  saveFile('payouts.csv', [csv(payoutRows(due, accounts))], 'text/csv')
}

/** What each seller is owed, and what was paid. */
export function PayoutsPage() {
  const loaded = useStore('payments', listPayouts, {})
  const [busy, run] = useBusy()
  return (
    <Page title="Payouts">
      <Section
        title="Owed"
        loaded={part(loaded, ({ due }) => due)}
        aside={
          loaded.data && (
            <Button
              variant="secondary"
              busy={busy}
              busyLabel="One moment"
              onClick={() => void run(() => save(loaded.data!.due).catch(showFailure))}
            >
              Save as CSV
            </Button>
          )
        }
      >
        {(due) => (
          <Table
            caption="What each account is owed"
            rows={due}
            rowKey={({ userId }) => userId}
            empty="Nothing is owed to anybody."
            columns={[
              {
                title: 'Account',
                cell: ({ userId, username, payee, suspended }) => (
                  <>
                    <AccountLink id={userId} name={username} /> {suspended && <State name="suspended" kind="bad" />}
                    {payee && (
                      <>
                        {` deleted: ${payee.firstName}, `}
                        <Email address={payee.email} />
                      </>
                    )}
                  </>
                ),
              },
              { title: 'Due', isNumber: true, cell: ({ due: amount }) => <Price euros={amount} /> },
              { title: 'Waits', isNumber: true, cell: ({ waiting }) => <Price euros={waiting} /> },
              { title: 'Held back', isNumber: true, cell: ({ heldBack }) => <Price euros={heldBack} /> },
              { title: 'Because', cell: ({ heldBecause }) => heldBecause.join(', ').replaceAll('_', ' ') },
              {
                title: '',
                cell: (row) => (
                  <div className="table__actions">
                    <UnpaidShareList row={row} />
                    {row.due > 0 && <RecordPayout row={row} />}
                  </div>
                ),
              },
            ]}
          />
        )}
      </Section>
      <Section title="Paid" about="The newest 1,000." loaded={part(loaded, ({ paid }) => paid)}>
        {(paid) => (
          <Table
            caption="Recorded payouts"
            rows={paid}
            rowKey={({ payoutId }) => payoutId}
            empty="No payout is recorded yet."
            columns={[
              { title: 'At', cell: ({ at }) => <Time at={at} as="recent" /> },
              { title: 'Account', cell: ({ userId }) => <AccountLink id={userId} /> },
              { title: 'Operator', cell: ({ operator }) => operator },
              { title: 'Reason', cell: ({ reason }) => <span className="written">{reason}</span> },
              { title: 'Returned', cell: ({ returnedAt }) => returnedAt && <Time at={returnedAt} as="recent" /> },
              { title: 'Amount', isNumber: true, cell: ({ amount }) => <Price euros={amount} /> },
              {
                title: '',
                cell: ({ payoutId, amount, returnedAt }) =>
                  !returnedAt && (
                    <div className="table__actions">
                      <Action
                        label="Came back…"
                        title="Record that it came back"
                        effects={<p>The {formatPrice(amount)} are owed again.</p>}
                        run={async ({ reason }) => {
                          const back = await request('payments', returnPayout, { body: { payoutId, reason } })
                          return `${formatPrice(back.amount)} came back and are owed again.`
                        }}
                      />
                    </div>
                  ),
              },
            ]}
          />
        )}
      </Section>
    </Page>
  )
}

const RecordPayout = ({ row: { userId, username, due } }: { row: Due }) => (
  <Action
    label="Record as paid…"
    title="Record the payout"
    effects={
      <Effects
        lines={[
          `The ${formatPrice(due)} that are due to ${username ?? 'the account'} count as paid`,
          'The store transfers nothing: record it after the transfer',
        ]}
      />
    }
    run={async ({ reason, id }) => {
      const { amount } = await request('payments', recordPayout, {
        body: { payoutId: id, userId, amount: due, reason },
      })
      return `Recorded: ${formatPrice(amount)} paid.`
    }}
  />
)

function UnpaidShareList({ row: { userId, username } }: { row: Due }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Shares
      </Button>
      <Dialog open={open} title={`Unpaid shares of ${username ?? 'the account'}`} onClose={() => setOpen(false)}>
        <Shares userId={userId} />
      </Dialog>
    </>
  )
}

function Shares({ userId }: { userId: string }) {
  const loaded = useStore('payments', listUnpaidShares, { params: { userId }, query: {} })
  return (
    <Contents loaded={loaded}>
      {(unpaid) => (
        <div className="action">
          <UnpaidShareTable unpaid={unpaid} />
          {unpaid.shares.length > 0 && <RecordPastPayout userId={userId} shares={unpaid.shares} />}
        </div>
      )}
    </Contents>
  )
}
