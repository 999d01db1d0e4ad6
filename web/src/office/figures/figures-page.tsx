import type { Endpoint, EndpointInput } from '@nifty/api/endpoint'
import type { ServiceName } from '@nifty/api/services'
import {
  getAccountStatistics,
  getMailStatistics,
  getMarketStatistics,
  getSalesStatistics,
  type StatisticsBy,
} from '@nifty/api/statistics'
import { useState } from 'react'
import { Field, Select } from '../../ui/forms/field.tsx'
import { Page } from '../shell/page.tsx'
import { useStore } from '../store/use-store.ts'
import { Figures } from './figures.tsx'
import { SoldBy } from './sold-by.tsx'
import { count, duration, euros, type PeriodOf, share, type Value } from './value.ts'

const DAY_MS = 86_400_000
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** What is plotted, and what is in sums and table, of the periods of an endpoint. */
type Shown<E extends Endpoint> = Record<'plotted' | 'values', Value<PeriodOf<E>>[]>

const ordersValues: Shown<typeof getSalesStatistics> = {
  plotted: [count('Started', ({ ordersStarted }) => ordersStarted), count('Paid', ({ ordersPaid }) => ordersPaid)],
  values: [
    count('Started', ({ ordersStarted }) => ordersStarted),
    count('Paid', ({ ordersPaid }) => ordersPaid),
    share('Paid of started', ({ ordersPaid, ordersStarted }) => [ordersPaid, ordersStarted]),
    count('Completed', ({ ordersCompleted }) => ordersCompleted),
    share('Completed of paid', ({ ordersCompleted, ordersPaid }) => [ordersCompleted, ordersPaid]),
    count('Works sold', ({ worksSold }) => worksSold),
    duration('Delivery, median', ({ deliveryMinutes }) => deliveryMinutes?.median ?? null),
    duration('95 % delivered within', ({ deliveryMinutes }) => deliveryMinutes?.p95 ?? null),
  ],
}

const moneyValues: Shown<typeof getSalesStatistics> = {
  plotted: [euros('Charged', ({ gross }) => gross), euros('Commission', ({ commission }) => commission)],
  values: [
    euros('Charged', ({ gross }) => gross),
    euros('Commission', ({ commission }) => commission),
    euros('Royalties', ({ royalties }) => royalties),
    count('Refunds', ({ refunds }) => refunds),
    euros('Refunded', ({ refunded }) => refunded),
    count('Disputes', ({ disputes }) => disputes),
    euros('Disputed', ({ disputed }) => disputed),
  ],
}

const worksValues: Shown<typeof getMarketStatistics> = {
  plotted: [count('Listed', ({ listed }) => listed), count('Sold', ({ sold }) => sold)],
  values: [
    count('Minted', ({ minted }) => minted),
    count('Listed', ({ listed }) => listed),
    count('Sold', ({ sold }) => sold),
    share('Sell-through', ({ sold, listed }) => [sold, listed]),
    euros('Turnover', ({ turnover }) => turnover),
    count('Favourites', ({ favourites }) => favourites),
  ],
}

const accountsValues: Shown<typeof getAccountStatistics> = {
  plotted: [count('Created', ({ created }) => created), count('Confirmed', ({ confirmed }) => confirmed)],
  values: [
    count('Created', ({ created }) => created),
    count('Confirmed', ({ confirmed }) => confirmed),
    count('Deleted', ({ deleted }) => deleted),
  ],
}

const mailsValues: Shown<typeof getMailStatistics> = {
  plotted: [count('Mails', ({ mails: all }) => all)],
  values: [
    count('Mails', ({ mails: all }) => all),
    count('Sent', ({ mailsSent }) => mailsSent),
    count('Given up', ({ mailsFailed }) => mailsFailed),
    count('Messages', ({ contactMessages }) => contactMessages),
  ],
}

/** What was sold, delivered, listed and mailed, by day, week or month of UTC. */
export function FiguresPage() {
  const [from, setFrom] = useState(() => dayOf(Date.now() - 29 * DAY_MS))
  const [to, setTo] = useState(() => dayOf(Date.now()))
  const [by, setBy] = useState<StatisticsBy>('day')
  const range = from && to ? { from, to, by } : null
  const sales = useFigures('payments', getSalesStatistics, range)
  const works = useFigures('catalog', getMarketStatistics, range)
  const accounts = useFigures('auth', getAccountStatistics, range)
  const mails = useFigures('notification', getMailStatistics, range)
  return (
    <Page
      title="Figures"
      aside={
        <div className="filters">
          <Field label="From" type="date" value={from} max={to} onChange={(event) => setFrom(event.target.value)} />
          <Field label="To" type="date" value={to} min={from} onChange={(event) => setTo(event.target.value)} />
          <Select label="By" value={by} onChange={(event) => setBy(event.target.value as StatisticsBy)}>
            <option value="day">Day</option>
            <option value="week">Week</option>
            <option value="month">Month</option>
          </Select>
        </div>
      }
    >
      <Figures
        title="Orders"
        about="Each figure counts what happened in the period: an order that was started before it and paid in it counts as paid. The store counts no visits."
        {...sales}
        {...ordersValues}
      />
      <Figures
        title="Money"
        about="As charged: the store calculates no tax, so none is taken off."
        {...sales}
        {...moneyValues}
      />
      <Figures
        title="Works"
        about="Sell-through: works sold in percent of works listed in the same period. Favourites: works that were marked and not unmarked on the same day."
        {...works}
        {...worksValues}
      >
        {(total) => <SoldBy {...total} />}
      </Figures>
      <Figures title="Accounts" {...accounts} {...accountsValues} />
      <Figures title="Mails" {...mails} {...mailsValues} />
    </Page>
  )
}

/** The figures of a range: of each period, and of all. */
function useFigures<E extends Endpoint>(
  service: ServiceName,
  endpoint: E,
  range: { from: string; to: string; by: StatisticsBy } | null,
) {
  const options = { refreshInterval: 60_000, keepPreviousData: true }
  const load = (by: StatisticsBy) => range && ({ query: { ...range, by } } as EndpointInput<E>)
  const loaded = useStore(service, endpoint, range && load(range.by), options)
  const total = useStore(service, endpoint, load('range'), options)
  return { loaded, total }
}
