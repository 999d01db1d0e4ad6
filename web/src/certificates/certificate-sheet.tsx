import '../print/print.css'
import './certificate-sheet.css'
import type { NftDetail } from '@nifty/api/catalog/public'
import type { Certificate, OpenedCertificate } from '@nifty/api/minting/certificates'
import { storeName } from '../api/store-name.ts'
import { useCompany } from '../api/use-config.ts'
import { QrCode } from '../qr-code/qr-code.tsx'
import { Facts } from '../ui/facts.tsx'
import { fullName } from '../ui/full-name.ts'
import { Time } from '../ui/time.tsx'

type Props = {
  work: Omit<OpenedCertificate, 'madeAt' | 'ownership'>
  /** Null on a sheet that says of no one that the work is theirs. */
  ownership: Pick<Certificate, 'owner' | 'ownedSince' | 'custody'> | null
  /** The work as the store shows it. */
  item: NftDetail | undefined
  /** When this was read. */
  readAt: string
  /** The secret link, for the QR code. */
  link: string | undefined
}

/** The sheet of a certificate, for the screen and one page of paper. */
export function CertificateSheet({ work, ownership, item, readAt, link }: Props) {
  const company = useCompany()
  const { contract, identifier, chainId, sha256, mintTxHash } = work
  const minted = item?.history.findLast(({ what }) => what === 'minted')
  return (
    <article className={`print-sheet certificate${item ? '' : ' certificate--unpictured'}`}>
      <header className="certificate__head">
        <p className="print-sheet__logo">{storeName}</p>
        <p className="certificate__kind">Certificate of authenticity</p>
      </header>
      {item && (
        <div className="certificate__art">
          <img src={`${item.image}?w=1600`} alt={item.name} width={item.width} height={item.height} />
        </div>
      )}
      <div className="certificate__title">
        <h2 dir="auto">{item?.name ?? `Token ${identifier}`}</h2>
        {item?.creator && (
          <p className="certificate__artist">
            <bdi>{fullName(item.creator)}</bdi>
          </p>
        )}
        {ownership && <Owned ownership={ownership} item={item} readAt={readAt} />}
      </div>
      <div className={`certificate__proof${link ? ' certificate__proof--coded' : ''}`}>
        <Facts
          className="certificate__facts"
          entries={[
            ['Edition', '1 of 1'],
            ['Minted', minted && <Time at={minted.at} as="day" />],
            ['Size', item && `${item.width} × ${item.height} px`],
            ['Held', ownership && (ownership.custody ? "In the store's custody" : "In its owner's wallet")],
            ['Token ID', identifier],
            // Spelled so in the specification.
            ['Blockchain', `Polygone, chain ${chainId}`],
            ['Contract Address', contract],
            ['Minted in transaction', mintTxHash],
            ['SHA-256 of the original file', sha256],
          ]}
        />
        {link && (
          <figure className="certificate__code">
            <QrCode text={link} label="QR code with the link of this certificate" />
            <figcaption>Scan it to see what is true now.</figcaption>
          </figure>
        )}
      </div>
      <footer className="certificate__foot">
        <p>
          The log of the mint on the blockchain has the name of the work and the SHA-256 of its file. Its owner may show
          and resell the work; the copyright stays with the artist.
        </p>
        <p>
          {storeName} is run by {[company.name, ...company.address].filter(Boolean).join(', ')}
          {company.number && `. ${company.register}, No. ${company.number}`}
        </p>
      </footer>
    </article>
  )
}

function Owned({ ownership: { owner, ownedSince }, item, readAt }: Pick<Props, 'item' | 'readAt'> & OwnedProps) {
  const name = item?.owner && item.owner.username === owner ? fullName(item.owner) : owner
  return (
    <p className="certificate__owner">
      {name && (
        <>
          Owned by{' '}
          <strong>
            <bdi>{name}</bdi>
          </strong>{' '}
        </>
      )}
      {ownedSince && (
        <>
          {name ? 'since' : 'Owned since'} <Time at={ownedSince} as="day" />,{' '}
        </>
      )}
      as of <Time at={readAt} as="day" />
    </p>
  )
}

type OwnedProps = { ownership: NonNullable<Props['ownership']> }
