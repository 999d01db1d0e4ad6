import { getSalesPause, pauseSales } from '@nifty/api/payments/sales-pause'
import { Select } from '../../ui/forms/field.tsx'
import { Time } from '../../ui/time.tsx'
import { Action, Effects } from '../action/action.tsx'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'

type Props = {
  /** Shows nothing while orders can be started. */
  onlyStopped?: boolean
}

/** Whether orders can be started, and what stops them in an emergency. */
export function SalesPause({ onlyStopped = false }: Props) {
  const loaded = useStore('payments', getSalesPause, {}, { refreshInterval: 30_000 })
  const pause = loaded.data?.pause
  if (onlyStopped && !pause) return null
  return (
    <Section title="New sales" loaded={loaded} aside={loaded.data && (pause ? <Resume /> : <Pause />)}>
      {({ pause }) =>
        pause ? (
          <p>
            Stopped until <Time at={pause.until} /> by {pause.by}: {pause.reason}
          </p>
        ) : (
          <p>Visitors can buy.</p>
        )
      }
    </Section>
  )
}

const Pause = () => (
  <Action
    label="Stop new sales…"
    title="Stop new sales"
    variant="danger"
    effects={<Effects lines={['Purchases are refused for that time', 'Orders that exist go on']} />}
    run={async ({ reason, text }) => {
      const { pause } = await request('payments', pauseSales, { body: { minutes: Number(text('minutes')), reason } })
      return (
        <>
          No order can be started until <Time at={pause!.until} />.
        </>
      )
    }}
  >
    <Select label="For" name="minutes" defaultValue="60">
      <option value="15">15 minutes</option>
      <option value="60">An hour</option>
      <option value="480">Eight hours</option>
      <option value="1440">A day</option>
    </Select>
  </Action>
)

const Resume = () => (
  <Action
    label="Allow sales…"
    title="Allow sales again"
    effects={<p>Orders can be started at once.</p>}
    run={async ({ reason }) => {
      await request('payments', pauseSales, { body: { minutes: 0, reason } })
      return 'Orders can be started again.'
    }}
  />
)
