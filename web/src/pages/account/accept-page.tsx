import { useEffect, useRef, useState } from 'react'
import { Navigate } from 'react-router-dom'
import { resendConfirmation, verifyEmail } from '../../account/confirmation/email-confirmation.ts'
import { useCurrentUser } from '../../account/use-current-user.ts'
import type { ApiError } from '../../api/api.ts'
import { mailedToken } from '../../api/mailed-token.ts'
import { paths } from '../../api/paths.ts'
import { MessagePage } from '../../layout/message-page.tsx'
import { ReturnCard } from '../../layout/page/return-card.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Spinner } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { confirmSubscription } from './confirm-subscription.ts'

type State = { step: 'pending' } | { step: 'confirmed' } | { step: 'failed'; error: ApiError }

/**
 * The target of confirmation links: an account's e-mail address (`token`) or a newsletter subscription (`newsletter`).
 */
export function AcceptPage() {
  const newsletter = mailedToken('newsletter')
  const token = mailedToken('token')
  const { user, reload } = useCurrentUser()
  const [state, setState] = useState<State>({ step: 'pending' })
  const sent = useRef<string | null>(null)

  const confirm = async () => {
    setState({ step: 'pending' })
    const outcome = newsletter ? await confirmSubscription(newsletter) : await verifyEmail(token ?? '')
    setState(outcome.ok ? { step: 'confirmed' } : { step: 'failed', error: outcome.error })
    if (outcome.ok) void reload()
  }

  // A token works once, so it is sent once, however often the page renders.
  const key = newsletter ?? token
  useEffect(() => {
    if (!key || sent.current === key) return
    sent.current = key
    void confirm()
  })

  if (!key) return <Navigate to={paths.error} replace />
  if (state.step === 'pending') {
    return (
      <MessagePage title="One moment...">
        <Spinner label="Confirming" />
      </MessagePage>
    )
  }
  if (state.step === 'failed') {
    return <Failed error={state.error} canResend={!newsletter && user !== undefined} onRetry={() => void confirm()} />
  }
  return (
    <MessagePage
      title={newsletter ? 'You are subscribed!' : 'Your email is confirmed!'}
      text={newsletter ? 'You will get our next newsletter by email.' : 'Thank you. Your account is ready to use.'}
    >
      <PageTitle>Confirmed</PageTitle>
      <LinkButton to={paths.explore}>Explore works</LinkButton>
      {!newsletter && !user && (
        <LinkButton to={paths.login} variant="secondary">
          Login
        </LinkButton>
      )}
      {!newsletter && <ReturnCard secondary />}
    </MessagePage>
  )
}

type FailedProps = { error: ApiError; canResend: boolean; onRetry: () => void }

/** A 4xx is final: the link is used or expired, and a new one can be sent. Other failures can be retried. */
function Failed({ error, canResend, onRetry }: FailedProps) {
  const [busy, run] = useBusy()
  const isFinal = error.status >= 400 && error.status < 500 && error.status !== 429
  const resend = () =>
    run(async () => {
      toast.success(await resendConfirmation())
    })

  return (
    <MessagePage
      title={isFinal ? 'This link is no longer valid' : 'Confirmation failed'}
      text={isFinal ? 'It has expired or was used before. If you used it, your address is confirmed.' : error.message}
    >
      {!isFinal && <Button onClick={onRetry}>Try again</Button>}
      {isFinal && canResend && (
        <Button busy={busy} busyLabel="Sending..." onClick={() => void resend()}>
          Send a new link
        </Button>
      )}
      <LinkButton to={paths.home} variant="secondary">
        Back to home
      </LinkButton>
    </MessagePage>
  )
}
