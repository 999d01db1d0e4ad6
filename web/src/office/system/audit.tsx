import { listActions } from '@nifty/api/operator-actions'
import { listSecurityEvents } from '@nifty/api/security-events'
import { serviceNames } from '@nifty/api/services'
import { useState } from 'react'
import useSWR from 'swr'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Link } from '../../ui/link.tsx'
import { Time } from '../../ui/time.tsx'
import type { SearchState } from '../shell/search-field.tsx'
import { request, type StoreError } from '../store/request.ts'
import { Section } from '../table/section.tsx'
import { Table } from '../table/table.tsx'

type Props = {
  /** An account or another thing; absent for all. */
  subject?: string
  title: string
}

/** Shown at first, and each further time. */
const ROWS = 20

/** What operators did, with their reasons, in all services. What fails of one leaves those of the others. */
export function ActionLog({ subject, title }: Props) {
  const [word, setWord] = useState('')
  const [shown, setShown] = useState(ROWS)
  const loaded = useAll(['actions', subject], (service) =>
    request(service, listActions, { query: subject ? { subject } : {} }).then(({ actions }) => actions),
  )
  return (
    <Section
      title={title}
      loaded={loaded}
      aside={
        <Field
          label="Contains"
          type="search"
          autoComplete="off"
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
      }
    >
      {(rows) => {
        const found = rows
          .filter((row) => JSON.stringify(row).toLowerCase().includes(word.toLowerCase()))
          .sort((one, other) => other.at.localeCompare(one.at))
        return (
          <>
            <Table
              caption={title}
              rows={found.slice(0, shown)}
              rowKey={(row) => JSON.stringify(row)}
              empty={word ? 'No action contains that.' : 'No operator has done anything yet.'}
              columns={[
                { title: 'At', cell: ({ at }) => <Time at={at} as="recent" /> },
                { title: 'Operator', cell: ({ operator }) => operator },
                { title: 'Action', cell: ({ action }) => action.replaceAll('-', ' ') },
                { title: 'Service', cell: ({ service }) => service },
                {
                  title: 'Subject',
                  cell: ({ subject: id }) => id && (id === subject ? 'this one' : <Subject id={id} />),
                },
                { title: 'Reason', cell: ({ reason }) => <span className="written">{reason}</span> },
              ]}
            />
            {found.length > shown && (
              <div className="actions">
                <Button variant="secondary" onClick={() => setShown(shown + ROWS)}>
                  Older
                </Button>
              </div>
            )}
          </>
        )
      }}
    </Section>
  )
}

/** Finds it in every service: the log has its id only. */
const Subject = ({ id }: { id: string }) => (
  <Link className="mono" to="/search" state={{ search: id } satisfies SearchState}>
    {id}
  </Link>
)

/** Security events of an account, newest first. */
export function SecurityEvents({ userId }: { userId: string }) {
  const loaded = useAll(['security events', userId], (service) =>
    request(service, listSecurityEvents, { query: { user: userId } }).then(({ events }) => events),
  )
  return (
    <Section title="Security events" loaded={loaded}>
      {(rows) => (
        <Table
          caption="Security events"
          rows={[...rows].sort((one, other) => other.at.localeCompare(one.at)).slice(0, 100)}
          rowKey={({ requestId, kind, at }) => `${requestId} ${kind} ${at}`}
          empty="None."
          columns={[
            { title: 'At', cell: ({ at }) => <Time at={at} as="recent" /> },
            { title: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
            { title: 'Outcome', cell: ({ outcome }) => outcome.replaceAll('_', ' ') },
            { title: 'From', cell: ({ address }) => <span className="mono">{address}</span> },
            { title: 'Times', isNumber: true, cell: ({ count }) => count },
          ]}
        />
      )}
    </Section>
  )
}

/** The same of each service. An error, beside what the others returned, is that of the first one that failed. */
function useAll<Row>(key: unknown[], load: (service: (typeof serviceNames)[number]) => Promise<Row[]>) {
  const { data, mutate } = useSWR(key, async () => {
    const errors: StoreError[] = []
    const lists = await Promise.all(
      serviceNames.map(async (service) => {
        const rows = await load(service).catch((error: StoreError) => {
          errors.push(error)
          return []
        })
        return rows.map((row) => ({ ...row, service }))
      }),
    )
    return { rows: lists.flat(), error: errors[0] }
  })
  return { data: data?.rows, error: data?.error, reload: () => void mutate() }
}
