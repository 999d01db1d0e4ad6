import { useState } from 'react'
import { useClearPersonalData } from '../../account/profile/use-log-out.ts'
import { mailedToken } from '../../api/mailed-token.ts'
import { paths } from '../../api/paths.ts'
import { endSession } from '../../api/session.ts'
import { MessagePage } from '../../layout/message-page.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/state.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { freezeAccount } from './freeze-account.ts'

type State = 'asking' | 'frozen' | 'invalid'

/** The target of the link in mails about changes. It acts on the button only, because scanners of mails open links. */
export function FreezePage() {
  const token = mailedToken('freeze') ?? ''
  const [state, setState] = useState<State>(token ? 'asking' : 'invalid')
  const [bidLeads, setBidLeads] = useState(false)
  const [problem, setProblem] = useState('')
  const [busy, run] = useBusy()
  const clear = useClearPersonalData()

  const freeze = () =>
    run(async () => {
      const outcome = await freezeAccount(token)
      if (!outcome.ok) {
        if (outcome.error.code === 'invalid_token') setState('invalid')
        else setProblem(outcome.error.message)
        return
      }
      setBidLeads(outcome.data.bidLeads)
      endSession()
      await clear()
      setState('frozen')
    })

  if (state === 'invalid')
    return (
      <MessagePage
        title="This link is no longer valid"
        text="It works for 72 hours. If your account is in danger, reset your password, or write to us."
      >
        <LinkButton to={paths.resetPass}>Reset my password</LinkButton>
        <LinkButton to={paths.contact} variant="secondary">
          Contact us
        </LinkButton>
      </MessagePage>
    )
  if (state === 'frozen')
    return (
      <MessagePage
        title="Your account is frozen"
        text="Everybody is logged out, and nothing can be sold, bought, withdrawn or changed. Orders that were already paid are completed. To use your account again, set a new password through the address that our mail went to."
      >
        {bidLeads && (
          <Notice kind="info">A bid of this account leads an auction, and stays. Write to us if it was not you.</Notice>
        )}
        <LinkButton to={paths.resetPass}>Set a new password</LinkButton>
        <LinkButton to={paths.contact} variant="secondary">
          Contact us
        </LinkButton>
      </MessagePage>
    )
  return (
    <MessagePage
      title="Freeze your account?"
      text="If a change of your account was not made by you, freeze it: everybody is logged out, and nothing can be sold, bought, withdrawn or changed until you set a new password."
    >
      {problem && <Notice kind="error">{problem}</Notice>}
      <Button variant="danger" busy={busy} busyLabel="Freezing..." onClick={() => void freeze()}>
        Freeze my account
      </Button>
      <LinkButton to={paths.home} variant="secondary">
        It was me
      </LinkButton>
    </MessagePage>
  )
}
