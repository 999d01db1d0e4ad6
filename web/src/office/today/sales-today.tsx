import { plural } from '@nifty/api/plural'
import { formatPrice } from '@nifty/api/price'
import { getSalesStatistics } from '@nifty/api/statistics'
import { useNow } from '../../ui/time.tsx'
import { count, euros, type PeriodOf, textOf, type Value } from '../figures/value.ts'
import { both, useStore } from '../store/use-store.ts'
import { part } from '../table/part.ts'
import { Section } from '../table/section.tsx'
import { Table } from '../table/table.tsx'

const MINUTE_MS = 60_000
const WEEK_MS = 7 * 86_400_000

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'short', timeZone: 'UTC' })

type Sales = PeriodOf<typeof getSalesStatistics>

const values: Value<Sales>[] = [
  count('Orders started', ({ ordersStarted }) => ordersStarted),
  count('Orders paid', ({ ordersPaid }) => ordersPaid),
  count('Orders completed', ({ ordersCompleted }) => ordersCompleted),
  count('Works sold', ({ worksSold }) => worksSold),
  euros('Charged', ({ gross }) => gross),
  euros('Commission', ({ commission }) => commission),
  euros('Refunded', ({ refunded }) => refunded),
]

/** The sales of today (UTC) beside those of the same day last week until the same time of day. */
export function SalesToday() {
  const at = Math.floor(useNow() / MINUTE_MS) * MINUTE_MS
  const until = new Date(at).toISOString().slice(11, 16)
  const [now, before] = [useSales(at, until), useSales(at - WEEK_MS, until)]
  const lastWeek = weekday.format(at - WEEK_MS)
  return (
    <Section
      title="Sales of today"
      about={`Both days from 00:00 until ${until} UTC: today, and ${lastWeek}, the same day last week.`}
      loaded={both(now, before)}
    >
      {([today, past]) => (
        <>
          <p>
            Today {sentence(today)}; until the same time last week {sentence(past)}. {difference(today, past)}
          </p>
          <Table
            caption="Sales of today and of last week"
            rows={values}
            rowKey={({ title }) => title}
            empty=""
            columns={[
              { title: `Until ${until} UTC`, cell: ({ title }) => title },
              { title: 'Today', isNumber: true, cell: (value) => textOf(value, today) },
              { title: lastWeek, isNumber: true, cell: (value) => textOf(value, past) },
              { title: 'Change', isNumber: true, cell: ({ of, format }) => signed(of(today)! - of(past)!, format) },
            ]}
          />
        </>
      )}
    </Section>
  )
}

/** Of the UTC day of a time, until a time of day. */
function useSales(ms: number, until: string) {
  const day = new Date(ms).toISOString().slice(0, 10)
  const query = { from: day, to: day, until }
  const loaded = useStore('payments', getSalesStatistics, { query }, { keepPreviousData: true })
  return part(loaded, ({ periods }) => periods[0]!)
}

const sentence = ({ worksSold, gross }: Sales) =>
  worksSold === 0 && gross === 0 ? 'nothing was sold' : `${plural(worksSold, 'work')} sold for ${formatPrice(gross)}`

function difference({ gross }: Sales, { gross: before }: Sales): string {
  const cents = Math.round((gross - before) * 100)
  if (cents === 0) return gross === 0 ? '' : 'That is as much.'
  return `That is ${formatPrice(Math.abs(cents) / 100)} ${cents > 0 ? 'more' : 'less'}.`
}

function signed(change: number, format: (value: number) => string): string {
  const rounded = Math.round(change * 100) / 100
  if (rounded === 0) return '0'
  return `${rounded > 0 ? '+' : '\u2212'}${format(Math.abs(rounded))}`
}
