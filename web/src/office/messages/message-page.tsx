import {
  answerContactMessage,
  assignContactMessage,
  type ContactThread,
  getContactMessage,
  setContactMessageState,
} from '@nifty/api/notification/contact-messages'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { Facts } from '../../ui/facts.tsx'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { Time } from '../../ui/time.tsx'
import { FoundAccounts } from '../accounts/found-accounts.tsx'
import { Action } from '../action/action.tsx'
import { Email } from '../links/email.tsx'
import { OrdersOfAccounts } from '../orders/orders-of-accounts.tsx'
import { Page } from '../shell/page.tsx'
import { request, type StoreError } from '../store/request.ts'
import { reloadAll, useStore } from '../store/use-store.ts'
import { Copied } from '../table/copied.tsx'
import { Contents, Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'

/** One message of the contact page with its answers. */
export function MessagePage() {
  const { id = '' } = useParams()
  const loaded = useStore('notification', getContactMessage, { params: { id } }, { refreshInterval: 10_000 })
  const { data } = loaded
  return (
    <Page title={data?.subject ?? 'Message'} aside={data && <Actions message={data} />}>
      <Contents loaded={loaded}>
        {(message) => (
          <>
            <Facts
              className="facts"
              entries={[
                ['From', message.name],
                [
                  'Address',
                  <Copied
                    key="email"
                    text={message.email}
                    label="Copy the address"
                    shown={<Email address={message.email} />}
                  />,
                ],
                ['Sent', <Time key="at" at={message.at} />],
                ['State', <State key="state" name={message.state} />],
                ['Assigned to', message.assignedTo],
              ]}
            />
            <p className="written">{message.message}</p>
            <Section title="Answers" loaded={{ ...loaded, error: undefined, data: message.answers }}>
              {(answers) => (
                <Table
                  caption="Answers"
                  rows={answers}
                  rowKey={({ _id }) => _id}
                  empty="Nobody has answered yet."
                  columns={[
                    { title: 'At', cell: ({ at }) => <Time at={at} as="recent" /> },
                    { title: 'By', cell: ({ operator }) => operator },
                    { title: 'Text', cell: ({ text }) => <span className="written">{text}</span> },
                    {
                      title: 'Mail',
                      cell: ({ sentAt, failedAt }) => (
                        <State
                          name={sentAt ? 'sent' : failedAt ? 'given up' : 'waiting'}
                          {...(failedAt && !sentAt && { kind: 'bad' })}
                        />
                      ),
                    },
                  ]}
                />
              )}
            </Section>
            <FoundAccounts title="Account of the address" search={{ search: message.email }} />
            <OrdersOfAccounts search={message.email} />
          </>
        )}
      </Contents>
    </Page>
  )
}

const Actions = ({ message }: { message: ContactThread }) => (
  <div className="actions">
    {(message.state === 'open' || message.state === 'answered') && <Answer message={message} />}
    <Assign message={message} />
    {message.state !== 'closed' && (
      <SetState message={message} state="closed" label="Close…" title="Close the message" />
    )}
    {message.state !== 'spam' && <SetState message={message} state="spam" label="Spam…" title="Mark it as spam" />}
    {message.state !== 'open' && <SetState message={message} state="open" label="Reopen…" title="Open it again" />}
  </div>
)

function Answer({ message: { _id, name, email } }: { message: ContactThread }) {
  /** Of the next answer: a repeated request sends one mail. */
  const [answerId, setAnswerId] = useState(() => crypto.randomUUID())
  return (
    <Action
      label="Answer…"
      title="Send the answer"
      variant="primary"
      effects={
        <p>
          {name} gets it as a mail to {email}, with the message below it. Answers to that mail go to the shop’s mailbox.
        </p>
      }
      run={async ({ text, reason }) => {
        const body = { answerId, text: text('text'), reason }
        await request('notification', answerContactMessage, { params: { id: _id }, body }).catch(
          (error: StoreError) => {
            if (error.code === 'answer_exists') {
              setAnswerId(crypto.randomUUID())
              void reloadAll()
            }
            throw error
          },
        )
        setAnswerId(crypto.randomUUID())
        return `The answer to ${email} is in the queue of mails.`
      }}
    >
      <TextArea label="Answer" name="text" required maxLength={5_000} rows={8} />
    </Action>
  )
}

const Assign = ({ message: { _id, assignedTo } }: { message: ContactThread }) => (
  <Action
    label="Assign…"
    title="Assign the message"
    effects={<p>Other operators see whose it is. An empty name assigns it to nobody.</p>}
    run={async ({ text, reason }) => {
      const name = text('assignedTo').trim()
      await request('notification', assignContactMessage, {
        params: { id: _id },
        body: { assignedTo: name || null, reason },
      })
      return name ? `It is assigned to ${name}.` : 'It is assigned to nobody.'
    }}
  >
    <Field label="Operator" name="assignedTo" defaultValue={assignedTo ?? ''} maxLength={100} autoComplete="off" />
  </Action>
)

const effects = {
  closed: 'It leaves the list of open messages. It can be opened again.',
  spam: 'It leaves the list of open messages, and cannot be answered until it is opened again.',
  open: 'It is in the list of open messages again.',
}

type StateProps = { message: ContactThread; state: keyof typeof effects; label: string; title: string }

const SetState = ({ message: { _id }, state, label, title }: StateProps) => (
  <Action
    label={label}
    title={title}
    effects={<p>{effects[state]}</p>}
    run={async ({ reason }) => {
      await request('notification', setContactMessageState, { params: { id: _id }, body: { state, reason } })
      return `The message is ${state === 'spam' ? 'marked as spam' : state}.`
    }}
  />
)
