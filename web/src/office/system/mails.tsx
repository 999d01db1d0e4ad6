import { age } from '@nifty/api/age'
import { acknowledgeMails, getMailQueue } from '@nifty/api/notification/ops'
import { plural } from '@nifty/api/plural'
import { Facts } from '../../ui/facts.tsx'
import { Action } from '../action/action.tsx'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'

export function Mails() {
  const loaded = useStore('notification', getMailQueue, {}, { refreshInterval: 30_000 })
  const lost = (loaded.data?.failedLastDay ?? 0) + (loaded.data?.refusedLastDay ?? 0)
  return (
    <Section
      title="Mails"
      loaded={loaded}
      aside={
        lost > 0 && (
          <Action
            label="Acknowledge…"
            title="Deal with lost mails"
            effects={<p>The {plural(lost, 'mail')} given up or refused raise no alert any more; later ones do.</p>}
            run={async ({ reason }) => {
              const { acknowledged } = await request('notification', acknowledgeMails, { body: { reason } })
              return `Acknowledged: ${plural(acknowledged, 'mail')}.`
            }}
          />
        )
      }
    >
      {({ waiting, oldest, sending, failedLastDay, refusedLastDay, acknowledgedLastDay, error }) => (
        <Facts
          className="facts"
          entries={[
            ['Waiting', `${waiting}${oldest ? `, the oldest for ${age(oldest)}` : ''}`],
            ['Being sent', String(sending)],
            ['Given up in 24 hours', String(failedLastDay)],
            ['Refused in 24 hours', String(refusedLastDay)],
            ['Acknowledged in 24 hours', String(acknowledgedLastDay)],
            ['Last error', error],
          ]}
        />
      )}
    </Section>
  )
}
