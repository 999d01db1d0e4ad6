import { pages } from '@nifty/api/pages'
import { useParams } from 'react-router-dom'
import { itemUrl } from '../../api/paths.ts'
import { OwnCertificate } from '../../certificates/own-certificate.tsx'
import { useCertificate } from '../../certificates/use-certificate.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'

/** The certificate of an owned work. */
export function WorkCertificatePage() {
  const { contract = '', identifier = '' } = useParams()
  const { certificate } = useCertificate({ contract, identifier })
  const work = itemUrl({ contract, identifier, ownerUsername: null })
  return (
    <>
      <PageHead
        title={pages.workCertificate.title}
        parent={{ to: work, label: 'The work' }}
        crumb={pages.workCertificate.title}
      />
      <div className="wrap">
        <div className="print-sheet__actions">
          {certificate && <Button onClick={() => window.print()}>Print</Button>}
          <LinkButton variant="secondary" to={work}>
            Back to the work
          </LinkButton>
        </div>
        <OwnCertificate token={{ contract, identifier }} />
      </div>
    </>
  )
}
