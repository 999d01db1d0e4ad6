import type { OwnCertificate } from '@nifty/api/minting/certificates'
import { useState } from 'react'
import type { ApiError } from '../api/api.ts'
import { openedCertificateUrl } from '../api/paths.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/state.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { makeCertificateLink, removeCertificateLink } from './use-certificate.ts'

type Props = { certificate: OwnCertificate; onChanged: () => Promise<unknown> }
type Outcome = { ok: true } | { ok: false; error: ApiError }

/** For the owner: makes, copies, renews and switches off the link of a certificate. */
export function CertificateLinkControl({ certificate, onChanged }: Props) {
  const { link } = certificate
  const [confirming, setConfirming] = useState<'renew' | 'off'>()
  const [problem, setProblem] = useState('')
  const [making, runMake] = useBusy()
  // The button of a first link replaces that of "Switch off" while this runs: it can have the focus at once.
  const [changing, runChange] = useBusy()

  const change = async (send: () => Promise<Outcome>, done: string) => {
    setProblem('')
    const outcome = await send()
    setConfirming(undefined)
    if (!outcome.ok) return setProblem(outcome.error.message)
    await onChanged()
    toast.success(done)
  }
  const send = () => makeCertificateLink(certificate)
  const make = () => runMake(() => change(send, 'The certificate has its link'))
  const renew = () => runChange(() => change(send, 'The certificate has a new link'))
  const switchOff = () => runChange(() => change(() => removeCertificateLink(certificate), 'The link is switched off'))

  return (
    <section
      className="certificate-link"
      aria-label={`Link of ${certificate.name ?? `token ${certificate.identifier}`}`}
    >
      {link ? (
        <>
          <p>
            Anyone who scans the code or opens the link sees what is true now: the work, its artist, and that it is
            yours. Made on <Time at={link.madeAt} as="day" />.
          </p>
          {!link.secret && <Notice>The store cannot show this link any more, but it works. A new one ends it.</Notice>}
          <div className="certificate-link__actions">
            {link.secret && <CopyLink url={openedCertificateUrl(link.secret)} />}
            <Button variant="secondary" onClick={() => setConfirming('renew')}>
              New link
            </Button>
            <Button variant="secondary" onClick={() => setConfirming('off')}>
              Switch off
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>
            With a link and its QR code on the sheet others can check what is true now. Only people to whom you send the
            link or show the sheet have it. You can renew it and switch it off.
          </p>
          <div className="certificate-link__actions">
            <Button busy={making} busyLabel="One moment..." onClick={() => void make()}>
              Add a link and QR code
            </Button>
          </div>
        </>
      )}
      {problem && <Notice kind="error">{problem}</Notice>}
      <Dialog
        open={confirming !== undefined}
        title={confirming === 'off' ? 'Switch the link off?' : 'Make a new link?'}
        onClose={() => setConfirming(undefined)}
      >
        <p>The link that you have shared, and each code that you have printed, will open nothing any more.</p>
        <div className="certificate-link__actions">
          <Button
            busy={changing}
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
    </section>
  )
}

function CopyLink({ url }: { url: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      toast.success('Link copied')
    } catch {
      toast.error('The browser does not allow copying. Open the link and copy its address.')
    }
  }
  return (
    <>
      <Button variant="secondary" onClick={() => void copy()}>
        Copy link
      </Button>
      {/* In a document of its own, in which no third-party script sees the address. */}
      <a className="button button--text" href={url} target="_blank" rel="noopener noreferrer">
        See what others see
      </a>
    </>
  )
}
