import type { OpenedCertificate } from '@nifty/api/minting/certificates'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { ApiError } from '../../api/api.ts'
import { itemUrl, openedCertificateUrl, paths } from '../../api/paths.ts'
import { storeName } from '../../api/store-name.ts'
import { CertificateSheet } from '../../certificates/certificate-sheet.tsx'
import { openCertificate, useShownWork } from '../../certificates/use-certificate.ts'
import { MessagePage } from '../../layout/message-page.tsx'
import { PageHead } from '../../layout/page/page-head.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Notice, Spinner } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'

type Read = { secret: string; at: string } & ({ certificate: OpenedCertificate } | { refusal: ApiError })

/** The target of a certificate's secret link: what is true of its work at this moment. */
export function OpenedCertificatePage() {
  const secret = useLocation().hash.slice(1)
  const [tries, setTries] = useState(0)
  const [read, setRead] = useState<Read>()

  useEffect(() => {
    if (!secret) return
    let isCurrent = true
    void openCertificate(secret).then((outcome) => {
      const at = new Date().toISOString()
      if (!isCurrent) return
      setRead(outcome.ok ? { secret, at, certificate: outcome.data } : { secret, at, refusal: outcome.error })
    })
    return () => {
      isCurrent = false
    }
  }, [secret, tries])

  if (!secret)
    return (
      <Unopened
        title="Scan a certificate"
        text="A certificate opens with the code on its sheet, or with the link that its owner gave you."
      />
    )
  if (read?.secret !== secret) return <Spinner label="Opening the certificate" />
  if ('certificate' in read) return <Opened read={read} />
  if (read.refusal.status === 404)
    return <Unopened title="This certificate cannot be opened" text={`${read.refusal.message}.`} />
  return (
    <Unopened title="We could not open this certificate" text={read.refusal.message}>
      <Button onClick={() => setTries(tries + 1)}>Try again</Button>
    </Unopened>
  )
}

const Unopened = ({ title, text, children }: { title: string; text: string; children?: ReactNode }) => (
  <MessagePage title={title} text={text}>
    {children}
    <LinkButton to={paths.explore} variant={children ? 'secondary' : 'primary'}>
      Explore the works
    </LinkButton>
    <LinkButton to={paths.contact} variant="secondary">
      Contact us
    </LinkButton>
  </MessagePage>
)

function Opened({ read: { secret, at, certificate } }: { read: { secret: string; at: string } & Certified }) {
  const { item, missing } = useShownWork(certificate)
  if (!item && !missing) return <Spinner label="Opening the certificate" />
  const { ownership } = certificate
  return (
    <>
      <PageHead compact title={ownership ? 'This certificate is valid' : 'This certificate is no longer valid'}>
        <p role="status">
          {ownership
            ? `${storeName} minted this work, and the person who made this certificate owns it now.`
            : `${storeName} minted this work, but it is no longer owned by the person who made this certificate.`}{' '}
          Checked on <Time at={at} />.
        </p>
      </PageHead>
      <div className="wrap">
        <div className="print-sheet__actions">
          {item && <LinkButton to={itemUrl(item)}>See the work</LinkButton>}
          {ownership && (
            <Button variant="secondary" onClick={() => window.print()}>
              Print
            </Button>
          )}
          {missing && <Notice>The store does not show this work at present.</Notice>}
        </div>
        <CertificateSheet
          work={certificate}
          ownership={ownership}
          item={item}
          readAt={at}
          link={ownership ? openedCertificateUrl(secret) : undefined}
        />
      </div>
    </>
  )
}

type Certified = { certificate: OpenedCertificate }
