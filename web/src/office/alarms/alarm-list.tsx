import { age } from '@nifty/api/age'
import { type Alarm, acknowledgeAlarm } from '@nifty/api/payments/alarms'
import { Link } from '../../ui/link.tsx'
import { Action } from '../action/action.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { request } from '../store/request.ts'
import { Table } from '../table/table.tsx'
import { Acknowledgement, acknowledgedText, UntilField, untilOf } from './acknowledgement.tsx'

/** Alarms of payments, each with who deals with it. */
export const AlarmList = ({ alarms }: { alarms: Alarm[] }) => (
  <Table
    caption="Alarms"
    rows={alarms}
    rowKey={({ name, subject }) => `${name} ${subject}`}
    empty="No alarm."
    columns={[
      {
        title: 'Alarm',
        cell: ({ name, subject }) =>
          name === 'disputed' ? <Link to={`/disputes/${subject}`}>{name}</Link> : name.replaceAll('_', ' '),
      },
      { title: 'Order', cell: ({ orderId }) => orderId && <OrderLink id={orderId} /> },
      { title: 'Detail', cell: ({ detail }) => <span className="written">{detail}</span> },
      {
        title: 'Since',
        cell: ({ firstAt, times }) => [age(firstAt), times > 1 && `${times} times`].filter(Boolean).join(', '),
      },
      {
        title: 'Dealt with',
        cell: ({ acknowledged }) => acknowledged && <Acknowledgement {...acknowledged} />,
      },
      {
        title: '',
        cell: (alarm) => <div className="table__actions">{!alarm.acknowledged && <Acknowledge {...alarm} />}</div>,
      },
    ]}
  />
)

const Acknowledge = ({ name, subject }: Alarm) => (
  <Action
    label="Acknowledge…"
    title="Deal with the alarm"
    effects={
      <p>It stays here with your name, and raises no alert until its detail changes or it comes back after a day.</p>
    }
    run={async ({ reason, ...form }) => {
      const body = { name, subject, reason, ...untilOf(form) }
      const { acknowledged } = await request('payments', acknowledgeAlarm, { body })
      return acknowledgedText(acknowledged!)
    }}
  >
    <UntilField />
  </Action>
)
