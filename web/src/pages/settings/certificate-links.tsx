import '../../certificates/certificate-link.css'
import type { ListedCertificateLink } from '@nifty/api/minting/certificates'
import { workCertificateUrl } from '../../api/paths.ts'
import { LinkActions } from '../../certificates/link-actions.tsx'
import { maxListedLinks, useCertificateLinks } from '../../certificates/use-certificate.ts'
import { Link } from '../../ui/link.tsx'
import { Spinner } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { SettingsSection } from './settings-section.tsx'

/** The links to certificates that the account has made and not switched off. */
export function CertificateLinks() {
  const { links, error, reload } = useCertificateLinks()
  return (
    <SettingsSection
      title="Certificate links"
      text="Whoever has one of these links sees what is true now of your work: its artist, its owner and since when."
    >
      {!links && !error && <Spinner />}
      {!links && error && <p>Your links could not be loaded. Please try again in a moment.</p>}
      <ul className="settings-section__list" tabIndex={-1} aria-label="Certificate links">
        {links?.map((link) => (
          <LinkRow key={link.identifier} link={link} onChanged={reload} />
        ))}
      </ul>
      {links?.length === 0 && <p>No certificate of yours has a link. You make one on the page of a certificate.</p>}
      {links?.length === maxListedLinks && <p>These are your {maxListedLinks} newest links.</p>}
    </SettingsSection>
  )
}

function LinkRow({ link, onChanged }: { link: ListedCertificateLink; onChanged: () => Promise<unknown> }) {
  const name = link.name ?? `Token ${link.identifier}`
  return (
    <li>
      <strong>
        {link.owned ? (
          <Link to={workCertificateUrl(link)}>
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
      </strong>
      <br />
      <small>
        Made <Time at={link.madeAt} />
        {!link.owned && '. The work is no longer yours, and the link says so.'}
      </small>
      <LinkActions token={link} owned={link.owned} name={name} onChanged={onChanged} />
    </li>
  )
}
