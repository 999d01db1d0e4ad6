import { type ContactMessage, type ContactState, searchContactMessages } from '@nifty/api/notification/contact-messages'
import { useState } from 'react'
import { Select } from '../../ui/forms/field.tsx'
import { Link } from '../../ui/link.tsx'
import { Time } from '../../ui/time.tsx'
import { Email } from '../links/email.tsx'
import { Page } from '../shell/page.tsx'
import { useStore } from '../store/use-store.ts'
import { Pages, usePages } from '../table/pages.tsx'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { type Column, Table } from '../table/table.tsx'

const columns: Column<ContactMessage>[] = [
  { title: 'Subject', cell: ({ _id, subject }) => <Link to={`/messages/${_id}`}>{subject}</Link> },
  {
    title: 'From',
    cell: ({ name, email }) => (
      <>
        {name} (<Email address={email} />)
      </>
    ),
  },
  { title: 'Sent', cell: ({ at }) => <Time at={at} as="recent" /> },
  { title: 'State', cell: ({ state }) => <State name={state} /> },
  { title: 'Assigned to', cell: ({ assignedTo }) => assignedTo },
  {
    title: 'Answered',
    cell: ({ answeredAt, answeredBy }) =>
      answeredAt && (
        <>
          <Time at={answeredAt} as="recent" />, {answeredBy}
        </>
      ),
  },
]

const states: ContactState[] = ['open', 'answered', 'closed', 'spam']

/** Messages of the contact page, the open ones first. */
export function MessagesPage() {
  const [state, setState] = useState<ContactState | ''>('open')
  const { after, ...pages } = usePages(state)
  const loaded = useStore(
    'notification',
    searchContactMessages,
    { body: { ...(state && { state }), ...(after && { after }) } },
    { refreshInterval: 30_000 },
  )
  return (
    <Page title="Messages">
      <Section title="Contact page" about="Newest first. Each also reached the shop’s mailbox." loaded={loaded}>
        {({ messages, next, counts }) => (
          <>
            <div className="filters">
              <Select
                label="State"
                value={state}
                onChange={(event) => setState(event.target.value as ContactState | '')}
              >
                <option value="">All</option>
                {states.map((name) => (
                  <option key={name} value={name}>{`${name} (${counts[name]})`}</option>
                ))}
              </Select>
            </div>
            <Table
              caption="Messages"
              rows={messages}
              rowKey={({ _id }) => _id}
              columns={columns}
              empty={state === 'open' ? 'No message waits for an answer.' : 'No message is like that.'}
            />
            <Pages after={after} next={next} {...pages} />
          </>
        )}
      </Section>
    </Page>
  )
}
