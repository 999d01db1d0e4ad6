import { formatPrice } from '@nifty/api/price'
import type { getMarketStatistics } from '@nifty/api/statistics'
import { AccountLink } from '../links/account-link.tsx'
import { type Column, Table } from '../table/table.tsx'
import { counted, type PeriodOf } from './value.ts'

type Market = PeriodOf<typeof getMarketStatistics>

/** Which works were sold: by artist, category and price. */
export const SoldBy = ({ artists, categories, priceBands }: Market) => (
  <div className="sold-by">
    <Group
      title="Artists"
      rows={artists}
      rowKey={({ userId }) => userId}
      name={{
        title: 'Artist',
        cell: ({ userId, username }) => (username ? <AccountLink id={userId} name={username} /> : 'deleted account'),
      }}
    />
    <Group
      title="Categories"
      rows={categories}
      rowKey={({ category }) => category}
      name={{ title: 'Category', cell: ({ category }) => category }}
    />
    <Group
      title="Price bands"
      rows={priceBands}
      rowKey={({ over }) => String(over)}
      name={{ title: 'Price', cell: bandName }}
    />
  </div>
)

const bandName = ({ over, upTo }: Market['priceBands'][number]) => {
  if (upTo === null) return `over ${formatPrice(over)}`
  return over === 0 ? `up to ${formatPrice(upTo)}` : `over ${formatPrice(over)} to ${formatPrice(upTo)}`
}

type Sold = { sold: number; turnover: number }
type Props<Row> = { title: string; rows: Row[]; rowKey: (row: Row) => string; name: Column<Row> }

const Group = <Row extends Sold>({ title, rows, rowKey, name }: Props<Row>) => (
  <div>
    <h3>{title}</h3>
    <Table
      caption={title}
      rows={rows}
      rowKey={rowKey}
      empty="Nothing was sold."
      columns={[
        name,
        { title: 'Sold', isNumber: true, cell: ({ sold }) => counted(sold) },
        { title: 'Turnover', isNumber: true, cell: ({ turnover }) => formatPrice(turnover) },
      ]}
    />
  </div>
)
