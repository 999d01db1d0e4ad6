import { useEffect, useRef, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router-dom'
import { resendConfirmation } from '../../account/email-confirmation.ts'
import { useCurrentUser } from '../../account/use-current-user.ts'
import { verifyEmail } from '../../account/verify-email.ts'
import type { ApiError } from '../../api.ts'
import { MessagePage } from '../../layout/message-page.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { confirmSubscription } from '../../newsletter/confirm-subscription.ts'
import { paths } from '../../paths.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Spinner } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'

type State = { step: 'asking' } | { step: 'confirmed' } | { step: 'refused'; error: ApiError }

/** Where the links of our mails lead: an address of an account, or one for the newsletter. */
export function AcceptPage() {
  const [params] = useSearchParams()
  const newsletter = params.get('newsletter')
  const token = params.get('token')
  const { user, reload } = useCurrentUser()
  const [state, setState] = useState<State>({ step: 'asking' })
  const asked = useRef<string | null>(null)

  const ask = async () => {
    setState({ step: 'asking' })
    const outcome = newsletter ? await confirmSubscription(newsletter) : await verifyEmail(token ?? '')
    setState(outcome.ok ? { step: 'confirmed' } : { step: 'refused', error: outcome.error })
    if (outcome.ok) void reload()
  }

  // A link is good once: however often the page renders, it is asked once.
  const key = newsletter ?? token
  useEffect(() => {
    if (!key || asked.current === key) return
    asked.current = key
    void ask()
  })

  if (!key) return <Navigate to={paths.error} replace />
  if (state.step === 'asking') {
    return (
      <MessagePage title="One moment...">
        <Spinner label="Confirming" />
      </MessagePage>
    )
  }
  if (state.step === 'refused') {
    return <Refused error={state.error} canResend={!newsletter && user !== undefined} onRetry={() => void ask()} />
  }
  return (
    <MessagePage
      title={newsletter ? 'You are subscribed!' : 'Your email is confirmed!'}
      text={
        newsletter ? 'The next news comes to your mail box.' : 'Thank you. Everything in the store is open to you now.'
      }
    >
      <PageTitle>Confirmed</PageTitle>
      <LinkButton to={paths.explore}>Explore works</LinkButton>
      {!newsletter && !user && (
        <LinkButton to={paths.login} look="plain">
          Login
        </LinkButton>
      )}
    </MessagePage>
  )
}

type RefusedProps = { error: ApiError; canResend: boolean; onRetry: () => void }

/** An old link says so and offers a new one; a store that did not answer is asked again. */
function Refused({ error, canResend, onRetry }: RefusedProps) {
  const [busy, run] = useBusy()
  const isFinal = error.status >= 400 && error.status < 500 && error.status !== 429
  const resend = () =>
    run(async () => {
      toast.success(await resendConfirmation())
    })

  return (
    <MessagePage
      title={isFinal ? 'This link is no longer valid' : 'That did not work'}
      text={
        isFinal ? 'It may be too old, or it was used already. If it was used, everything is in order.' : error.message
      }
    >
      {!isFinal && <Button onClick={onRetry}>Try again</Button>}
      {isFinal && canResend && (
        <Button busy={busy} busyLabel="Sending..." onClick={() => void resend()}>
          Send a new link
        </Button>
      )}
      <LinkButton to={paths.home} look="plain">
        Back to home
      </LinkButton>
    </MessagePage>
  )
}
