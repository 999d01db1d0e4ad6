import type { MailList } from '@nifty/api/notification/public'
import { useState } from 'react'
import { mailedToken } from '../../api/mailed-token.ts'
import { paths } from '../../api/paths.ts'
import { MessagePage } from '../../layout/message-page.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/state.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { unsubscribe } from './unsubscribe.ts'

const news = 'You will get no more newsletters from us.'

/** What ended. The type demands a text for every list. */
const ended: Record<MailList, string> = {
  newsletter: news,
  companyNews: news,
  message: 'You will get no more mails about your sales. The notices in the store go on.',
  follow: 'You will get no more mails about new works of artists whom you follow. The notices in the store go on.',
  salePromotion: 'You will get no more mails about your favourites. The notices in the store go on.',
}

type State = 'asking' | 'invalid' | { ended: MailList }

/** The target of unsubscribe links. It acts on the button only, because scanners of mails open links. */
export function UnsubscribePage() {
  const token = mailedToken('unsubscribe') ?? ''
  const [state, setState] = useState<State>(token ? 'asking' : 'invalid')
  const [problem, setProblem] = useState('')
  const [busy, run] = useBusy()

  const leave = () =>
    run(async () => {
      const outcome = await unsubscribe(token)
      if (outcome.ok) setState({ ended: outcome.data.list })
      else if (outcome.error.code === 'invalid_link') setState('invalid')
      else setProblem(outcome.error.message)
    })

  if (state === 'invalid')
    return (
      <MessagePage
        title="This link is not valid"
        text="Please open it from the mail again. You can also switch mails off in your settings, or write to us."
      >
        <LinkButton to={paths.contact}>Contact us</LinkButton>
      </MessagePage>
    )
  if (state !== 'asking')
    return (
      <MessagePage title="You are unsubscribed" text={ended[state.ended] ?? 'You will get no more of these mails.'}>
        <LinkButton to={paths.home} variant="secondary">
          Back to Home
        </LinkButton>
      </MessagePage>
    )
  return (
    <MessagePage title="Unsubscribe?" text="You will get no more mails of this kind. Mails about your orders go on.">
      {problem && <Notice kind="error">{problem}</Notice>}
      <Button busy={busy} busyLabel="One moment..." onClick={() => void leave()}>
        Unsubscribe
      </Button>
      <LinkButton to={paths.home} variant="secondary">
        Keep them
      </LinkButton>
    </MessagePage>
  )
}
