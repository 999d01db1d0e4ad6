import type { UnpaidShares } from '@nifty/api/payments/ops-money'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { Table } from '../table/table.tsx'

/** Shares of an account that no payout has yet, and from when on they are due. */
export const UnpaidShareTable = ({ unpaid: { shares, next } }: { unpaid: UnpaidShares }) => (
  <>
    <Table
      caption="Unpaid shares"
      rows={shares}
      rowKey={({ lineId }) => lineId}
      empty="Every share is paid."
      columns={[
        { title: 'Work', cell: ({ name }) => name },
        { title: 'Status', cell: ({ status }) => status.replace('_', ' ') },
        { title: 'From', cell: ({ dueAt }) => <Time at={dueAt} as="day" /> },
        { title: 'Booked', isNumber: true, cell: ({ amount }) => <Price euros={amount} /> },
        { title: 'Balance', isNumber: true, cell: ({ balance }) => <Price euros={balance} /> },
      ]}
    />
    {next && <p className="muted">The oldest {shares.length}.</p>}
  </>
)
