import { csv } from '@nifty/api/csv'
import { listSubscribers } from '@nifty/api/notification/ops'
import { readSubscribers, subscriberRows } from '@nifty/api/notification/subscribers'
import { getNewestWebhook } from '@nifty/api/payments/processor-events'
import { listRebuiltOrders } from '@nifty/api/payments/rebuilt-orders'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Price } from '../../ui/price.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Time } from '../../ui/time.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { Email } from '../links/email.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { Page } from '../shell/page.tsx'
import { request } from '../store/request.ts'
import { showFailure } from '../store/show-failure.ts'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'
import { ActionLog } from './audit.tsx'
import { FailedLogIns } from './failed-log-ins.tsx'
import { Mails } from './mails.tsx'
import { MessageQueues, Services } from './message-queues.tsx'

/** Servers and queues, and who did what. */
export const SystemPage = () => (
  <Page title="System">
    <Services />
    <MessageQueues />
    <Mails />
    <Newsletter />
    <Webhooks />
    <RebuiltOrders />
    <FailedLogIns />
    <ActionLog title="What operators did" />
  </Page>
)

function Newsletter() {
  const [busy, run] = useBusy()
  const save = () =>
    run(async () => {
      try {
        saveFile('subscribers.csv', [csv(subscriberRows(await allSubscribers()))], 'text/csv')
      } catch (error) {
        showFailure(error)
      }
    })
  return (
    <section className="section" aria-labelledby="newsletter">
      <header className="section__head">
        <h2 id="newsletter">Newsletter</h2>
        <Button variant="secondary" busy={busy} busyLabel="One moment" onClick={() => void save()}>
          Save the addresses as CSV
        </Button>
      </header>
      <p className="muted">Confirmed addresses, with the links that its mails must have.</p>
    </section>
  )
}

const allSubscribers = () =>
  readSubscribers((after) => request('notification', listSubscribers, { body: after ? { after } : {} }))

function Webhooks() {
  const loaded = useStore('payments', getNewestWebhook, {})
  return (
    <Section title="Card processor" loaded={loaded}>
      {({ receivedAt }) => (
        <Facts
          className="facts"
          entries={[['Newest event by webhook', receivedAt ? <Time key="at" at={receivedAt} /> : 'none yet']]}
        />
      )}
    </Section>
  )
}

function RebuiltOrders() {
  const loaded = useStore('payments', listRebuiltOrders, {})
  return (
    <Section
      title="After a restore"
      about="Orders that the database lacked, rebuilt from the card processor, and accounts and works that are unknown."
      loaded={loaded}
    >
      {({ orders, unknownAccounts, unknownTokens }) => (
        <>
          <Table
            caption="Rebuilt orders"
            rows={orders}
            rowKey={({ _id }) => _id}
            empty="No order was rebuilt."
            columns={[
              { title: 'Order', cell: ({ _id }) => <OrderLink id={_id} /> },
              { title: 'Placed', cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: 'State', cell: ({ state }) => <State name={state} /> },
              { title: 'Works', cell: ({ works }) => works.map(({ name }) => name).join(', ') },
              { title: 'Captured', isNumber: true, cell: ({ captured }) => <Price euros={captured} /> },
            ]}
          />
          {unknownAccounts.length > 0 && (
            <Table
              caption="Unknown accounts"
              rows={unknownAccounts}
              rowKey={({ userId }) => userId}
              empty=""
              columns={[
                { title: 'Unknown account', cell: ({ userId }) => <span className="mono">{userId}</span> },
                { title: 'Name on the card', cell: ({ name }) => name },
                { title: 'E-mail', cell: ({ email }) => email && <Email address={email} /> },
              ]}
            />
          )}
          {unknownTokens.length > 0 && <p className="mono">Tokens without a mint: {unknownTokens.join(', ')}</p>}
        </>
      )}
    </Section>
  )
}
