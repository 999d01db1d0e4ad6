import { age } from '@nifty/api/age'
import { searchAccounts } from '@nifty/api/auth/account-search'
import { readUsernames } from '@nifty/api/auth/usernames'
import { csv } from '@nifty/api/csv'
import type { EndpointBody } from '@nifty/api/endpoint'
import { bookingRows, readBookings } from '@nifty/api/payments/bookings'
import {
  acknowledgeDifference,
  getReconciliation,
  type Reconciliation,
  startReconciliation,
} from '@nifty/api/payments/ops'
import { listSales } from '@nifty/api/payments/sales'
import { plural } from '@nifty/api/plural'
import { formatPrice } from '@nifty/api/price'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Time } from '../../ui/time.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { Action } from '../action/action.tsx'
import { Acknowledgement, acknowledgedText, UntilField, untilOf } from '../alarms/acknowledgement.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { Page } from '../shell/page.tsx'
import { request } from '../store/request.ts'
import { showFailure } from '../store/show-failure.ts'
import { reloadAll, useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'

/** The books against card processor and chain. */
export function BooksPage() {
  const loaded = useStore('payments', getReconciliation, {}, { refreshInterval: 5_000 })
  const [busy, start] = useBusy()
  const compare = (all: boolean) =>
    start(async () => {
      try {
        await request('payments', startReconciliation, { body: all ? { all } : {} })
        await reloadAll()
      } catch (error) {
        showFailure(error)
      }
    })
  return (
    <Page
      title="Books"
      aside={
        <div className="actions">
          <Button busy={busy} busyLabel="Starting" onClick={() => void compare(false)}>
            Compare now
          </Button>
          <Button variant="secondary" disabled={busy} onClick={() => void compare(true)}>
            Compare everything
          </Button>
        </div>
      }
    >
      <Section title="Newest comparison" loaded={loaded}>
        {({ run }) => (run ? <Run run={run} /> : <p>The books were not compared yet. The store does it every day.</p>)}
      </Section>
      <Sales />
    </Page>
  )
}

const sums = [
  ['held', 'heldCents'],
  ['captured', 'capturedCents'],
  ['released', 'releasedCents'],
  ['in flight', 'inFlightCents'],
  ['refunded and disputed', 'withdrawnCents'],
] as const

function Run({ run }: { run: Reconciliation }) {
  const { since, until, step, finishedAt, error, ours, processor, differences, differenceCount, acknowledged } = run
  const balanced = differenceCount === 0
  return (
    <>
      <Facts
        className="facts"
        entries={[
          [
            'Outcome',
            finishedAt ? (
              <State key="state" name={balanced ? 'balanced' : 'not balanced'} kind={balanced ? 'good' : 'bad'} />
            ) : (
              `under way: ${step?.replaceAll('_', ' ')}`
            ),
          ],
          ['From', <Time key="since" at={since} />],
          ['Until', <Time key="until" at={until} />],
          ['Finished', finishedAt && <Time key="finished" at={finishedAt} />],
          ['Last error', error],
        ]}
      />
      <Table
        caption="Sums of both sides"
        rows={sums}
        rowKey={([title]) => title}
        empty=""
        columns={[
          { title: 'Money', cell: ([title]) => title },
          { title: 'Store', isNumber: true, cell: ([, name]) => formatPrice(ours[name] / 100) },
          { title: 'Card processor', isNumber: true, cell: ([, name]) => formatPrice(processor[name] / 100) },
        ]}
      />
      <h3>Differences</h3>
      <Table
        caption="Differences"
        rows={differences}
        rowKey={({ kind, subject }) => `${kind} ${subject}`}
        empty="None."
        columns={[
          { title: 'Kind', cell: ({ kind }) => kind },
          {
            title: 'About',
            cell: ({ orderId, intentId, subject }) =>
              orderId ? <OrderLink id={orderId} /> : <span className="mono">{intentId ?? subject}</span>,
          },
          { title: 'Difference, in cents', cell: ({ detail }) => detail },
          { title: 'For', cell: ({ foundAt }) => age(foundAt) },
          {
            title: 'What to do',
            cell: ({ kind, orderId }) =>
              orderId && kind !== 'reservation'
                ? 'Open the order and compare it with the card processor.'
                : kind === 'token'
                  ? 'Compare the token on the page Works.'
                  : 'Runbook NiftyReconciliationFailed.',
          },
          {
            title: '',
            cell: ({ kind, subject }) =>
              kind !== 'token' && (
                <div className="table__actions">
                  <Acknowledge kind={kind as Kind} subject={subject} />
                </div>
              ),
          },
        ]}
      />
      {differenceCount > differences.length && (
        <p>And {plural(differenceCount - differences.length, 'further one')}.</p>
      )}
      {acknowledged.length > 0 && (
        <>
          <h3>Acknowledged</h3>
          <Table
            caption="Acknowledged differences"
            rows={acknowledged}
            rowKey={({ kind, subject }) => `${kind} ${subject}`}
            empty=""
            columns={[
              { title: 'About', cell: ({ subject }) => <span className="mono">{subject}</span> },
              { title: 'Difference', cell: ({ detail }) => detail },
              { title: 'Dealt with', cell: ({ acknowledged }) => <Acknowledgement {...acknowledged} /> },
            ]}
          />
        </>
      )}
    </>
  )
}

type Kind = EndpointBody<typeof acknowledgeDifference>['kind']

const Acknowledge = ({ kind, subject }: { kind: Kind; subject: string }) => (
  <Action
    label="Acknowledge…"
    title="Deal with the difference"
    effects={<p>It stays listed with your name and counts no more, until its detail changes.</p>}
    run={async ({ reason, ...form }) => {
      const body = { kind, subject, reason, ...untilOf(form) }
      const { acknowledged } = await request('payments', acknowledgeDifference, { body })
      return acknowledgedText(acknowledged)
    }}
  >
    <UntilField />
  </Action>
)

/** What was booked in a month, for the accountant: the rows of `pnpm ops sales --csv`. */
function Sales() {
  const [busy, run] = useBusy()
  const save = (month: string) =>
    run(async () => {
      try {
        saveFile(`sales-${month}.csv`, [csv(await rowsOf(month))], 'text/csv')
      } catch (error) {
        showFailure(error)
      }
    })
  return (
    <section className="section" aria-labelledby="sales">
      <h2 id="sales">Bookings of a month</h2>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault()
          void save(String(new FormData(event.currentTarget).get('month')))
        }}
      >
        <Field
          label="Month (UTC)"
          name="month"
          type="month"
          required
          defaultValue={new Date().toISOString().slice(0, 7)}
        />
        <Button type="submit" variant="secondary" busy={busy} busyLabel="One moment">
          Save as CSV
        </Button>
      </form>
    </section>
  )
}

async function rowsOf(month: string): Promise<string[][]> {
  const bookings = await readBookings((after) =>
    request('payments', listSales, { params: { month }, query: after ? { after } : {} }),
  )
  const artists = await readUsernames(
    (ids) => request('auth', searchAccounts, { body: { ids } }),
    bookings.map(({ creatorId }) => creatorId),
  )
  return bookingRows(bookings, artists)
}
