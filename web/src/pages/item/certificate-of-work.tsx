import type { NftDetail } from '@nifty/api/catalog/public'
import { workCertificateUrl } from '../../api/paths.ts'
import { LinkButton } from '../../ui/button.tsx'

/** For the owner of a work: the way to its certificate. */
export const CertificateOfWork = ({ item }: { item: NftDetail }) => (
  <section className="panel__part">
    <div>
      <LinkButton variant="secondary" to={workCertificateUrl(item)}>
        Certificate
      </LinkButton>
    </div>
    <p className="notice">A sheet to print and frame. With a QR code on it others can check what is true now.</p>
  </section>
)
