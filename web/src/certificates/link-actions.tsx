import { type ReactNode, useState } from 'react'
import type { ApiError } from '../api/api.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { makeCertificateLink, removeCertificateLink } from './use-certificate.ts'

type Props = {
  token: { contract: string; identifier: string }
  /** Only of an owned work a new link can be made. */
  owned: boolean
  /** Names the buttons where there are those of several links. */
  name?: string
  onChanged: () => Promise<unknown>
  /** Further buttons. */
  children?: ReactNode
}

type Outcome = { ok: true } | { ok: false; error: ApiError }

/** Renews and switches off a link, and asks before. */
export function LinkActions({ token, owned, name, onChanged, children }: Props) {
  const [confirming, setConfirming] = useState<'renew' | 'off'>()
  const [problem, setProblem] = useState('')
  const [busy, run] = useBusy()

  const change = async (send: () => Promise<Outcome>, done: string) => {
    setProblem('')
    const outcome = await send()
    setConfirming(undefined)
    if (!outcome.ok) return setProblem(outcome.error.message)
    await onChanged()
    toast.success(done)
  }
  const renew = () => run(() => change(() => makeCertificateLink(token), 'The certificate has a new link'))
  const switchOff = () => run(() => change(() => removeCertificateLink(token), 'The link is switched off'))

  return (
    <>
      <div className="certificate-link__actions">
        {children}
        {owned && (
          <Button variant="secondary" onClick={() => setConfirming('renew')}>
            New link{name && <span className="visually-hidden"> of {name}</span>}
          </Button>
        )}
        <Button variant="secondary" onClick={() => setConfirming('off')}>
          Switch off{name && <span className="visually-hidden"> the link of {name}</span>}
        </Button>
      </div>
      {problem && <Notice kind="error">{problem}</Notice>}
      <Dialog
        open={confirming !== undefined}
        title={confirming === 'off' ? 'Switch the link off?' : 'Make a new link?'}
        onClose={() => setConfirming(undefined)}
      >
        <p>The link that you have shared, and each code that you have printed, will open nothing any more.</p>
        <div className="certificate-link__actions">
          <Button
            busy={busy}
            busyLabel="One moment..."
            onClick={() => void (confirming === 'off' ? switchOff() : renew())}
          >
            {confirming === 'off' ? 'Switch it off' : 'Make a new link'}
          </Button>
          <Button variant="secondary" onClick={() => setConfirming(undefined)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </>
  )
}
