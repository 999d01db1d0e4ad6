import type { CurrentUser } from '@nifty/api/auth/account'
import type { SellerApplication } from '@nifty/api/auth/applications'
import { Button } from '../../ui/button.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { ApplicationForm } from './application-form.tsx'
import { useApplication } from './use-application.ts'

/** The state of the account's application, or the form for the next one. */
export function Application({ user }: { user: CurrentUser }) {
  const { application, error, reload, apply, withdraw } = useApplication()

  if (application === undefined && !error) return <Spinner />
  if (application === undefined)
    return (
      <Empty title="Your application could not be loaded.">
        <Button variant="secondary" onClick={() => void reload()}>
          Try again
        </Button>
      </Empty>
    )
  const againFrom = application?.againFrom ?? null
  const waits = application?.state === 'waiting' || (againFrom !== null && new Date(againFrom) > new Date())
  return (
    <div className="sell-page__application" tabIndex={-1}>
      {application?.state === 'waiting' && <Waiting application={application} withdraw={withdraw} />}
      {application?.state === 'declined' && <Declined application={application} />}
      {!waits && <ApplicationForm emailConfirmed={user.emailConfirmed} apply={apply} />}
    </div>
  )
}

type Withdraw = ReturnType<typeof useApplication>['withdraw']

function Waiting({ application, withdraw }: { application: SellerApplication; withdraw: Withdraw }) {
  const [busy, run] = useBusy()
  const takeBack = () =>
    run(async () => {
      const outcome = await withdraw()
      if (!outcome.ok) return void toast.error(outcome.error.message)
      toast.success('Your application was taken back')
    })
  return (
    <>
      <p>
        <strong>Your application is waiting.</strong> We received it on <Time at={application.createdAt} as="day" /> and
        answer by mail.
      </p>
      <Sent application={application} />
      <Button variant="secondary" busy={busy} busyLabel="Taking back..." onClick={() => void takeBack()}>
        Take it back
      </Button>
    </>
  )
}

const Declined = ({ application: { answer, answeredAt, againFrom } }: { application: SellerApplication }) => (
  <>
    <p>
      <strong>We could not accept your last application.</strong> {answeredAt && <Time at={answeredAt} as="day" />}
    </p>
    {answer && (
      <blockquote className="sell-page__answer" dir="auto">
        {answer}
      </blockquote>
    )}
    {againFrom && new Date(againFrom) > new Date() && (
      <p>
        You can apply again from <Time at={againFrom} as="day" /> on.
      </p>
    )}
  </>
)

const Sent = ({ application: { links, message } }: { application: SellerApplication }) => (
  <details className="sell-page__sent">
    <summary>What you sent</summary>
    <ul>
      {links.map((link) => (
        <li key={link}>
          <a href={link} rel="noreferrer" target="_blank">
            {link}
          </a>
        </li>
      ))}
    </ul>
    <p dir="auto">{message}</p>
  </details>
)
