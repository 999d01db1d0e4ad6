import { age } from '@nifty/api/age'
import {
  discardMessage,
  listMessages,
  type Messages,
  type RetryMessage,
  replayMessages,
  republishMessages,
} from '@nifty/api/messages'
import { plural } from '@nifty/api/plural'
import { type ServiceName, serviceNames } from '@nifty/api/services'
import useSWR from 'swr'
import { Field } from '../../ui/forms/field.tsx'
import { Action, Effects } from '../action/action.tsx'
import { request, type StoreError } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'

type ServiceState = { service: ServiceName; queue?: Messages; error?: StoreError }

/** Whether each service responds, and how many events wait in it. The rows of the others stay when one fails. */
export function Services() {
  const { data, mutate } = useSWR<ServiceState[]>(
    'services',
    () =>
      Promise.all(
        serviceNames.map((service) =>
          request(service, listMessages).then(
            (queue) => ({ service, queue }),
            (error: StoreError) => ({ service, error }),
          ),
        ),
      ),
    { refreshInterval: 30_000 },
  )
  return (
    <Section title="Services" loaded={{ data, reload: () => void mutate() }}>
      {(services) => (
        <Table
          caption="Services"
          rows={services}
          rowKey={({ service }) => service}
          empty=""
          columns={[
            { title: 'Service', cell: ({ service }) => service },
            {
              title: 'State',
              cell: ({ error }) => (error ? error.message : <State name="responds" kind="good" />),
            },
            { title: 'Events that wait', isNumber: true, cell: ({ queue }) => queue?.total },
            { title: 'Dead letters', isNumber: true, cell: ({ queue }) => queue?.deadLettered },
            {
              title: 'Not published yet',
              isNumber: true,
              cell: ({ queue }) => queue && `${queue.unpublished.count}${queue.republishing ? ', again' : ''}`,
            },
            {
              title: '',
              cell: ({ service, queue }) => (
                <div className="table__actions">
                  {Boolean(queue?.total) && <ReplayAll service={service} />}
                  {queue && <Republish service={service} />}
                </div>
              ),
            },
          ]}
        />
      )}
    </Section>
  )
}

/** Events that each service could not handle yet, with dead letters. `onlyDead`: nothing of services without one. */
export const MessageQueues = ({ onlyDead = false }: { onlyDead?: boolean }) =>
  serviceNames.map((service) => <Queue key={service} service={service} onlyDead={onlyDead} />)

function Queue({ service, onlyDead }: { service: ServiceName; onlyDead: boolean }) {
  const loaded = useStore(service, listMessages, {}, { refreshInterval: 30_000 })
  const { data, error } = loaded
  if (!error && !(onlyDead ? data?.deadLettered : data?.total)) return null
  return (
    <Section title={`Events of ${service}`} loaded={loaded}>
      {({ messages, total, deadLettered, unpublished, republishing }) => (
        <>
          <p className="muted">
            {plural(total, 'event')} in the retry queue, {plural(deadLettered, 'dead letter')}, {unpublished.count}{' '}
            unpublished
            {unpublished.oldest && `, the oldest for ${age(unpublished.oldest)}`}
            {republishing && '; events are being published again'}
          </p>
          <Table
            caption={`Retry queue of ${service}`}
            rows={messages.filter(({ deadLetteredAt }) => !onlyDead || deadLetteredAt)}
            rowKey={({ messageId }) => messageId}
            empty="The retry queue is empty."
            columns={[
              { title: 'Event', cell: ({ name }) => name },
              { title: 'Key', cell: ({ key }) => <span className="mono">{key}</span> },
              { title: 'Age', cell: ({ since }) => age(since) },
              { title: 'State', cell: stateOf },
              { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
              {
                title: 'Error',
                cell: ({ error: text }) => (
                  <span className="written">{text ?? 'waits behind another event of its key'}</span>
                ),
              },
              {
                title: '',
                cell: (message) => (
                  <div className="table__actions">
                    <Replay service={service} message={message} />
                    {message.deadLetteredAt && <Discard service={service} message={message} />}
                  </div>
                ),
              },
            ]}
          />
        </>
      )}
    </Section>
  )
}

function stateOf({ deadLetteredAt, unknownVersion, nextAttemptAt }: RetryMessage) {
  if (unknownVersion) return <State name="unknown version" kind="bad" />
  if (deadLetteredAt) return <State name="dead letter" kind="bad" />
  return nextAttemptAt && Date.parse(nextAttemptAt) > Date.now() ? 'is retried later' : 'is retried now'
}

async function replay(service: ServiceName, { only, reason }: { only?: string; reason: string }) {
  const { messages, unknownVersion = 0 } = await request(service, replayMessages, { body: { only, reason } })
  const left = unknownVersion > 0 ? ` ${plural(unknownVersion, 'event')} of an unknown version stayed.` : ''
  return `${plural(messages, 'event')} will be retried now.${left}`
}

type Props = { service: ServiceName; message: RetryMessage }

const Replay = ({ service, message: { messageId, name } }: Props) => (
  <Action
    label="Retry…"
    title="Retry the event"
    effects={<p>{`${service} handles ${name} at once, after events of its key that came later.`}</p>}
    run={({ reason }) => replay(service, { only: messageId, reason })}
  />
)

const ReplayAll = ({ service }: { service: ServiceName }) => (
  <Action
    label="Retry all…"
    title="Retry all events"
    effects={<p>{`${service} handles its whole retry queue at once, dead letters included.`}</p>}
    run={({ reason }) => replay(service, { reason })}
  />
)

const Discard = ({ service, message: { messageId, name, key } }: Props) => (
  <Action
    label="Discard…"
    title="Discard the dead letter"
    variant="danger"
    effects={
      <Effects
        lines={[
          `${name} of ${key} counts as handled`,
          `Its effect stays missing in ${service}: nothing brings it back`,
        ]}
      />
    }
    run={async ({ reason }) => {
      const { event } = await request(service, discardMessage, { body: { messageId, reason } })
      return event ? `${event.name} of ${event.key} is discarded.` : 'The event is not in the retry queue any more.'
    }}
  />
)

const Republish = ({ service }: { service: ServiceName }) => (
  <Action
    label="Publish again…"
    title="Publish events again"
    effects={
      <p>{`What ${service} published since then is published again, for consumers that lost it. Others ignore it.`}</p>
    }
    run={async ({ reason, text }) => {
      const since = new Date(`${text('since')}Z`).toISOString()
      const { messages } = await request(service, republishMessages, { body: { since, reason } })
      return `${plural(messages, 'event')} since ${since} will be published again.`
    }}
  >
    <Field label="Since (UTC, at most 30 days ago)" name="since" type="datetime-local" required />
  </Action>
)
