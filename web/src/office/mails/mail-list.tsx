import { findMails, type Mail, repeatMail } from '@nifty/api/notification/mails'
import { Time } from '../../ui/time.tsx'
import { Action, Effects } from '../action/action.tsx'
import { Email } from '../links/email.tsx'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { part } from '../table/part.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'

/** Mails about these ids, newest first: of an order and its lines, or to an account. */
export function MailList({ ids }: { ids: string[] }) {
  const loaded = useStore('notification', findMails, { body: { ids } }, { refreshInterval: 10_000 })
  return (
    <Section title="Mails" loaded={part(loaded, ({ mails }) => mails)}>
      {(mails) => (
        <Table
          caption="Mails"
          rows={mails}
          rowKey={({ _id }) => _id}
          empty="No mail was sent."
          columns={[
            { title: 'Queued', cell: ({ queuedAt }) => <Time at={queuedAt} as="recent" /> },
            { title: 'Subject', cell: ({ subject, template }) => subject || template.replaceAll('-', ' ') },
            { title: 'To', cell: ({ recipient }) => (recipient ? <Email address={recipient} /> : 'erased') },
            { title: 'State', cell: stateOf },
            { title: 'Mail server', cell: ({ error }) => error },
            {
              title: '',
              cell: (mail) => (
                <div className="table__actions">
                  {(mail.repeat === 'copy' || mail.repeat === 'retry') && <Repeat mail={mail} />}
                </div>
              ),
            },
          ]}
        />
      )}
    </Section>
  )
}

/** Why a mail was given up. */
const failures: Record<NonNullable<Mail['failure']>, string> = {
  refused: 'refused by the mail server',
  attempts: 'given up after its last attempt',
  expired: 'not sent in time',
}

function stateOf({ sentAt, failedAt, failure }: Mail) {
  if (sentAt)
    return (
      <>
        sent <Time at={sentAt} as="recent" />
      </>
    )
  return failedAt ? <State name={failure ? failures[failure] : 'given up'} kind="bad" /> : 'waiting to be sent'
}

const Repeat = ({ mail: { _id, recipient, repeat } }: { mail: Mail }) => (
  <Action
    label="Send again…"
    title="Send the mail again"
    effects={
      <Effects
        lines={[
          `${recipient || 'The recipient'} gets it at the same address`,
          repeat === 'retry' ? 'It was given up, and is attempted again' : 'It is a copy: the first one stays sent',
        ]}
      />
    }
    run={async ({ reason, id }) => {
      await request('notification', repeatMail, { body: { mailId: _id, newMailId: id, reason } })
      return 'The mail is queued.'
    }}
  />
)
