import './certificate-link.css'
import type { OwnCertificate } from '@nifty/api/minting/certificates'
import { useState } from 'react'
import { openedCertificateUrl } from '../api/paths.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/state.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { LinkActions } from './link-actions.tsx'
import { makeCertificateLink } from './use-certificate.ts'

type Props = { certificate: OwnCertificate; onChanged: () => Promise<unknown> }

/** For the owner: makes, copies, renews and switches off the link of a certificate. */
export function CertificateLinkControl({ certificate, onChanged }: Props) {
  const { link } = certificate
  const [problem, setProblem] = useState('')
  const [busy, run] = useBusy()

  const make = () =>
    run(async () => {
      setProblem('')
      const outcome = await makeCertificateLink(certificate)
      if (!outcome.ok) return setProblem(outcome.error.message)
      await onChanged()
      toast.success('The certificate has its link')
    })

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
          <LinkActions token={certificate} owned onChanged={onChanged}>
            {link.secret && <CopyLink url={openedCertificateUrl(link.secret)} />}
          </LinkActions>
        </>
      ) : (
        <>
          <p>
            With a link and its QR code on the sheet others can check what is true now. Only people to whom you send the
            link or show the sheet have it. You can renew it and switch it off.
          </p>
          <div className="certificate-link__actions">
            <Button busy={busy} busyLabel="One moment..." onClick={() => void make()}>
              Add a link and QR code
            </Button>
          </div>
        </>
      )}
      {problem && <Notice kind="error">{problem}</Notice>}
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
