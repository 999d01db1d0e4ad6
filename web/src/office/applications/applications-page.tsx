import { age } from '@nifty/api/age'
import { answerSellerApplication, listSellerApplications, type WaitingApplication } from '@nifty/api/auth/ops'
import { plural } from '@nifty/api/plural'
import { TextArea } from '../../ui/forms/field.tsx'
import { Action, Effects } from '../action/action.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { Email } from '../links/email.tsx'
import { Page } from '../shell/page.tsx'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { Table } from '../table/table.tsx'

/** People who want to sell. */
export function ApplicationsPage() {
  const loaded = useStore('auth', listSellerApplications, {})
  return (
    <Page title="Applications">
      <Section title="Waiting for an answer" about="Oldest first." loaded={loaded}>
        {({ applications, waiting }) => (
          <>
            <Table
              caption="Applications"
              rows={applications}
              rowKey={({ applicationId }) => applicationId}
              empty="No application waits."
              columns={[
                {
                  title: 'Who',
                  cell: ({ userId, username, name, email, declinedBefore }) => (
                    <>
                      {name} (<AccountLink id={userId} name={username} />)<br />
                      <Email address={email} />
                      {declinedBefore > 0 && <br />}
                      {declinedBefore > 0 && `declined ${plural(declinedBefore, 'time')} before`}
                    </>
                  ),
                },
                { title: 'Waits', cell: ({ createdAt }) => age(createdAt) },
                {
                  title: 'Message',
                  cell: ({ message, links }) => (
                    <>
                      <p className="written">{message}</p>
                      {links.map((link) => (
                        // As text: what a stranger linked to is no part of the office.
                        <p key={link} className="mono">
                          {link}
                        </p>
                      ))}
                    </>
                  ),
                },
                {
                  title: '',
                  cell: (application) => (
                    <div className="table__actions">
                      <Answer application={application} grant />
                      <Answer application={application} grant={false} />
                    </div>
                  ),
                },
              ]}
            />
            {waiting > applications.length && (
              <p className="muted">
                The oldest {applications.length} of {waiting}.
              </p>
            )}
          </>
        )}
      </Section>
    </Page>
  )
}

const Answer = ({ application, grant }: { application: WaitingApplication; grant: boolean }) => (
  <Action
    label={grant ? 'Grant…' : 'Decline…'}
    title={grant ? 'Grant the application' : 'Decline the application'}
    variant={grant ? 'secondary' : 'danger'}
    effects={
      <Effects
        lines={[
          grant ? `${application.name} may mint and sell, and logs in again` : 'Nothing changes for the account',
          'The applicant gets a mail with your answer',
        ]}
      />
    }
    run={async ({ reason, text }) => {
      const { email, applicationId } = application
      await request('auth', answerSellerApplication, {
        body: { email, applicationId, grant, answer: text('answer'), reason },
      })
      return grant ? `${application.name} may mint and sell.` : 'The application is declined.'
    }}
  >
    <TextArea label="Answer, in the mail" name="answer" maxLength={1_000} />
  </Action>
)
