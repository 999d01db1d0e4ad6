import './figures.css'
import { formatPrice } from '@nifty/api/price'
import {
  getAccountStatistics,
  getMailStatistics,
  getMarketStatistics,
  getSalesStatistics,
  type StatisticsBy,
} from '@nifty/api/statistics'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { Facts } from '../../ui/facts.tsx'
import { Field, Select } from '../../ui/forms/field.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { Page } from '../shell/page.tsx'
import { type Loaded, useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { type Column, Table } from '../table/table.tsx'

/** uPlot throws where the browser's language is no valid tag, as with a POSIX locale (`en-US@posix`). */
const Plot = lazy(() =>
  import('./plot.tsx').then(
    ({ Plot: component }) => ({ default: component }),
    () => ({ default: MissingPlot }),
  ),
)
const MissingPlot = () => <p>The plot could not be drawn. The table below has its numbers.</p>

type Period = { from: string; to: string }
type Value<Row> = { title: string; of: (row: Row) => number; euros?: true }

const DAY_MS = 86_400_000
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** What was sold, delivered, listed and mailed, by day, week or month of UTC. */
export function FiguresPage() {
  const [from, setFrom] = useState(() => dayOf(Date.now() - 29 * DAY_MS))
  const [to, setTo] = useState(() => dayOf(Date.now()))
  const [by, setBy] = useState<StatisticsBy>('day')
  const input = from && to ? { query: { from, to, by } } : null
  const options = { refreshInterval: 60_000, keepPreviousData: true }
  const sales = useStore('payments', getSalesStatistics, input, options)
  const works = useStore('catalog', getMarketStatistics, input, options)
  const accounts = useStore('auth', getAccountStatistics, input, options)
  const mails = useStore('notification', getMailStatistics, input, options)
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
        title="Sales"
        loaded={sales}
        plotted={[
          { title: 'Charged', of: ({ gross }) => gross, euros: true },
          { title: 'Commission', of: ({ commission }) => commission, euros: true },
        ]}
        values={[
          { title: 'Orders started', of: ({ ordersStarted }) => ordersStarted },
          { title: 'Paid', of: ({ ordersPaid }) => ordersPaid },
          { title: 'Completed', of: ({ ordersCompleted }) => ordersCompleted },
          { title: 'Works sold', of: ({ worksSold }) => worksSold },
          { title: 'Charged', of: ({ gross }) => gross, euros: true },
          { title: 'Commission', of: ({ commission }) => commission, euros: true },
          { title: 'Royalties', of: ({ royalties }) => royalties, euros: true },
          { title: 'Refunded', of: ({ refunded }) => refunded, euros: true },
          { title: 'Disputed', of: ({ disputed }) => disputed, euros: true },
        ]}
        further={[
          {
            title: 'Minutes to delivery',
            cell: ({ deliveryMinutes }) =>
              deliveryMinutes && `${deliveryMinutes.median}, at most ${deliveryMinutes.p95}`,
          },
        ]}
      />
      <Figures
        title="Works"
        loaded={works}
        plotted={[
          { title: 'Listed', of: ({ listed }) => listed },
          { title: 'Sold', of: ({ sold }) => sold },
        ]}
        values={[
          { title: 'Minted', of: ({ minted }) => minted },
          { title: 'Listed', of: ({ listed }) => listed },
          { title: 'Sold', of: ({ sold }) => sold },
          { title: 'Turnover', of: ({ turnover }) => turnover, euros: true },
        ]}
        further={[
          { title: 'Best category', cell: ({ categories }) => categories[0]?.category },
          { title: 'Best artist', cell: ({ artists }) => artists[0] && (artists[0].username ?? 'deleted account') },
        ]}
      />
      <Figures
        title="Accounts"
        loaded={accounts}
        plotted={[
          { title: 'Created', of: ({ created }) => created },
          { title: 'Confirmed', of: ({ confirmed }) => confirmed },
        ]}
        values={[
          { title: 'Created', of: ({ created }) => created },
          { title: 'Confirmed', of: ({ confirmed }) => confirmed },
          { title: 'Deleted', of: ({ deleted }) => deleted },
        ]}
      />
      <Figures
        title="Mails"
        loaded={mails}
        plotted={[{ title: 'Mails', of: ({ mails: count }) => count }]}
        values={[
          { title: 'Mails', of: ({ mails: count }) => count },
          { title: 'Sent', of: ({ mailsSent }) => mailsSent },
          { title: 'Given up', of: ({ mailsFailed }) => mailsFailed },
          { title: 'Messages', of: ({ contactMessages }) => contactMessages },
        ]}
      />
    </Page>
  )
}

type Props<Row> = {
  title: string
  loaded: Loaded<{ periods: Row[] }>
  plotted: Value<Row>[]
  values: Value<Row>[]
  further?: Column<Row>[]
}

const Figures = <Row extends Period>({ title, loaded, plotted, values, further = [] }: Props<Row>) => (
  <Section title={title} loaded={loaded}>
    {({ periods }) => (
      <>
        <Facts
          className="facts"
          entries={values.map((value) => [
            value.title,
            <span key={value.title}>
              {textOf(
                value,
                periods.reduce((sum, row) => sum + value.of(row), 0),
              )}
            </span>,
          ])}
        />
        <Lines title={title} periods={periods} plotted={plotted} />
        <details className="figures">
          <summary>{title} by period</summary>
          <Table
            caption={`${title} by period`}
            rows={[...periods].reverse()}
            rowKey={({ from }) => from}
            empty="No period."
            columns={[
              { title: 'Period', cell: ({ from, to }) => (from === to ? from : `${from} to ${to}`) },
              ...values.map((value) => ({
                title: value.title,
                isNumber: true as const,
                cell: (row: Row): ReactNode => textOf(value, value.of(row)),
              })),
              ...further,
            ]}
          />
        </details>
      </>
    )}
  </Section>
)

const textOf = <Row,>({ euros }: Value<Row>, value: number) =>
  euros ? formatPrice(value) : value.toLocaleString('en-GB')

function Lines<Row extends Period>({
  title,
  periods,
  plotted,
}: {
  title: string
  periods: Row[]
  plotted: Value<Row>[]
}) {
  const days = useMemo(() => periods.map(({ from }) => from), [periods])
  const series = useMemo(
    () => plotted.map((value) => ({ label: value.title, values: periods.map(value.of) })),
    [periods],
  )
  const label = `${title}: ${plotted.map((value) => value.title).join(', ')}, as in the table below`
  return (
    <Suspense fallback={<Skeleton className="plot" />}>
      <Plot label={label} days={days} series={series} />
    </Suspense>
  )
}
