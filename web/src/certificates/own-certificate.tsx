import './own-certificate.css'
import { openedCertificateUrl, paths } from '../api/paths.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Empty, Notice, Spinner } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { CertificateLinkControl } from './certificate-link.tsx'
import { CertificateSheet } from './certificate-sheet.tsx'
import { removeCertificateLink, useCertificate, useShownWork } from './use-certificate.ts'

type Token = { contract: string; identifier: string }

/** The sheet of a work for its owner, with what its owner can do with the link. */
export function OwnCertificate({ token }: { token: Token }) {
  const { certificate, error, reload } = useCertificate(token)
  const { item, missing } = useShownWork(token)
  if (!certificate && error?.status === 403) return <NotYours token={token} />
  if (!certificate && error)
    return (
      <Empty title={error.status === 404 ? 'There is no such work.' : 'The certificate could not be loaded.'}>
        {error.status === 404 ? (
          <LinkButton to={paths.explore}>Explore the works</LinkButton>
        ) : (
          <Button onClick={() => void reload()}>Try again</Button>
        )}
      </Empty>
    )
  if (!certificate || !(item || missing)) return <Spinner label="Loading your certificate" />
  const secret = certificate.link?.secret
  return (
    <div className="own-certificate">
      <div className="print-sheet__actions">
        <CertificateLinkControl certificate={certificate} onChanged={reload} />
        {missing && <Notice>The store does not show this work at present, so its sheet has no picture.</Notice>}
      </div>
      <CertificateSheet
        work={certificate}
        ownership={certificate}
        item={item}
        readAt={new Date().toISOString()}
        link={secret ? openedCertificateUrl(secret) : undefined}
      />
    </div>
  )
}

/** A link that its former owner made says by itself that the work has moved on; it can be switched off still. */
function NotYours({ token }: { token: Token }) {
  const [busy, run] = useBusy()
  const switchOff = () =>
    run(async () => {
      const outcome = await removeCertificateLink(token)
      if (outcome.ok) toast.success('The link is switched off')
      else toast.error(outcome.error.code === 'not_owner' ? 'There is no link of yours.' : outcome.error.message)
    })
  return (
    <Empty title="This work is not yours, so it has no certificate for you.">
      <p>A link that you made while you owned it now says that the work has moved on.</p>
      <Button variant="secondary" busy={busy} busyLabel="One moment..." onClick={() => void switchOff()}>
        Switch such a link off
      </Button>
    </Empty>
  )
}
