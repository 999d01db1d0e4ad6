import { parseLookup } from '@nifty/api/lookup'
import { listActions } from '@nifty/api/operator-actions'
import { listSecurityEvents } from '@nifty/api/security-events'
import { serviceNames } from '@nifty/api/services'
import { useState } from 'react'
import useSWR from 'swr'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Link } from '../../ui/link.tsx'
import { shorten } from '../../ui/shorten.ts'
import { Time } from '../../ui/time.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { useAccounts } from '../links/use-accounts.ts'
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
  const accounts = useSubjects(loaded.data ?? [])
  return (
    <Section
      title={title}
      loaded={loaded}
      aside={
        Boolean(loaded.data?.length) && (
          <Field
            label="Contains"
            type="search"
            autoComplete="off"
            value={word}
            onChange={(event) => setWord(event.target.value)}
          />
        )
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
                  cell: ({ subject: id }) =>
                    id && (id === subject ? 'this one' : <Subject id={id} name={accounts.get(id)?.username} />),
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

/** An account by its name. All other ids are found in every service: the log has the id only. */
function Subject({ id, name }: { id: string; name: string | null | undefined }) {
  if (name) return <AccountLink id={id} name={name} />
  if (/^[a-z]+$/i.test(id)) return id
  return (
    <Link className="mono" to="/search" state={{ search: id } satisfies SearchState} title={id}>
      {shorten(id, 8, 4)}
    </Link>
  )
}

/** The accounts among the subjects of these actions. */
const useSubjects = (rows: { service: string; subject: string }[]) =>
  useAccounts(
    rows.flatMap(({ service, subject }) => (service === 'auth' && parseLookup(subject).kind === 'id' ? [subject] : [])),
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
