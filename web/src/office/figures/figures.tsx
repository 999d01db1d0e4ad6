import './figures.css'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { Facts } from '../../ui/facts.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { both, type Loaded } from '../store/use-store.ts'
import { part } from '../table/part.ts'
import { Section } from '../table/section.tsx'
import { Table } from '../table/table.tsx'
import { textOf, type Value } from './value.ts'

/** uPlot throws where the browser's language is no valid tag, as with a POSIX locale (`en-US@posix`). */
const Plot = lazy(() =>
  import('./plot.tsx').then(
    ({ Plot: component }) => ({ default: component }),
    () => ({ default: MissingPlot }),
  ),
)
const MissingPlot = () => <p>The plot could not be drawn. The table below has its numbers.</p>

type Period = { from: string; to: string }

type Props<Row> = {
  title: string
  about?: string
  /** The whole range as one period. */
  total: Loaded<{ periods: Row[] }>
  loaded: Loaded<{ periods: Row[] }>
  plotted: Value<Row>[]
  values: Value<Row>[]
  /** Below the sums, of the whole range. */
  children?: (total: Row) => ReactNode
}

/** Sums of a range, a plot and a table of its periods. */
export const Figures = <Row extends Period>({ title, about, total, loaded, plotted, values, children }: Props<Row>) => (
  <Section
    title={title}
    about={about}
    loaded={both(
      part(total, ({ periods }) => periods[0]!),
      loaded,
    )}
  >
    {([whole, { periods }]) => (
      <>
        <Facts className="facts" entries={values.map((value) => [value.title, textOf(value, whole)])} />
        <Lines title={title} periods={periods} plotted={plotted} />
        {children?.(whole)}
        <details className="figures">
          <summary>{title} by period</summary>
          <Table
            caption={`${title} by period`}
            rows={[...periods].reverse()}
            rowKey={({ from }) => from}
            empty="No period."
            columns={[
              { title: 'Period', cell: (row) => <PeriodText {...row} /> },
              ...values.map((value) => ({
                title: value.title,
                isNumber: true as const,
                cell: (row: Row) => textOf(value, row),
              })),
            ]}
          />
        </details>
      </>
    )}
  </Section>
)

const PeriodText = ({ from, to }: Period) => (
  <>
    <Time at={from} as="utcDay" />
    {from !== to && (
      <>
        {' to '}
        <Time at={to} as="utcDay" />
      </>
    )}
  </>
)

type LinesProps<Row> = { title: string; periods: Row[]; plotted: Value<Row>[] }

function Lines<Row extends Period>({ title, periods, plotted }: LinesProps<Row>) {
  const days = useMemo(() => periods.map(({ from }) => from), [periods])
  const series = useMemo(
    () =>
      plotted.map(({ title: label, of, format }) => ({ label, format, values: periods.map((row) => of(row) ?? 0) })),
    [periods],
  )
  const label = `${title}: ${plotted.map((value) => value.title).join(', ')}, as in the table below`
  return (
    <Suspense fallback={<Skeleton className="plot" />}>
      <Plot label={label} days={days} series={series} />
    </Suspense>
  )
}
