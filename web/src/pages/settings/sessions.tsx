import type { OwnSession } from '@nifty/api/auth/sessions'
import { useNavigate } from 'react-router-dom'
import { useLogOut } from '../../account/profile/use-log-out.ts'
import { useSessions } from '../../account/use-sessions.ts'
import { paths } from '../../api/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { SettingsSection } from './settings-section.tsx'

/** Where the account is logged in. Each session, or all others at once, can be logged out. */
export function Sessions() {
  const { sessions, error, end, endOthers } = useSessions()
  const [busy, run] = useBusy()
  const logOut = useLogOut()
  const navigate = useNavigate()

  const leave = () =>
    run(async () => {
      await logOut()
      navigate(paths.login)
    })
  const act = (request: () => ReturnType<typeof endOthers>) =>
    run(async () => {
      const outcome = await request()
      if (!outcome.ok) return toast.error(outcome.error.message)
      toast.success('Logged out')
    })

  const others = sessions?.filter(({ thisSession }) => !thisSession) ?? []
  return (
    <SettingsSection
      title="Sessions"
      text="Where your account is logged in. A session ends by itself after twelve hours."
    >
      {!sessions && !error && <Spinner />}
      {!sessions && error && <p>The sessions could not be loaded. Please try again in a moment.</p>}
      <ul className="settings-section__list" tabIndex={-1} aria-label="Sessions">
        {sessions?.map((session) => (
          <SessionRow
            key={session._id}
            session={session}
            busy={busy}
            onEnd={() => void (session.thisSession ? leave() : act(() => end(session._id)))}
          />
        ))}
      </ul>
      {sessions && others.length === 0 && <p>You are logged in nowhere else.</p>}
      {others.length > 1 && (
        <Button variant="secondary" busy={busy} onClick={() => void act(endOthers)}>
          Log out of all other sessions
        </Button>
      )}
    </SettingsSection>
  )
}

type RowProps = { session: OwnSession; busy: boolean; onEnd: () => void }

const SessionRow = ({ session: { browser, network, createdAt, thisSession }, busy, onEnd }: RowProps) => (
  <li className="settings-section__entry">
    <div>
      <strong>{browser}</strong>
      {thisSession && ' (this session)'}
      <br />
      <small>
        Since <Time at={createdAt} />, network {network}
      </small>
    </div>
    <Button variant="secondary" busy={busy} onClick={onEnd}>
      Log out<span className="visually-hidden"> of {thisSession ? 'this session' : browser}</span>
    </Button>
  </li>
)
