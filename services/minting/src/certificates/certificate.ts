import type {
  Certificate,
  CertificateLink,
  ListedCertificateLink,
  OpenedCertificate,
} from '@nifty/api/minting/certificates'
import { forbidden, notFound, tooManyToday } from '@nifty/service-kit/base/errors'
import { type Keys, unsealStored } from '@nifty/service-kit/base/secrets'
import type { StoredSecrets } from '@nifty/service-kit/database/stored-secrets'
import type { Row } from '../db.ts'

export type Link = Row<'certificateLink'>

export const linkSecrets: StoredSecrets = { table: 'certificateLink', owner: 'secretHash', text: 'sealedSecret' }

/** What the database has of a work and its owner. */
export type CertifiedWork = {
  contract: string
  identifier: string
  ownerId: string | null
  owner: string | null
  ownedSince: Date | null
  custody: boolean
  name: string | null
  artist: string | null
  sha256: string | null
  mintTxHash: string | null
}

/** `owned`: the work is still the account's. */
export type LinkWithWork = Pick<Link, 'madeAt'> & { identifier: string; name: string | null; owned: boolean }

type Chain = { chainId: number; collection: string }

const workOf = ({ identifier, name, artist, sha256, mintTxHash }: CertifiedWork, { chainId, collection }: Chain) => ({
  contract: collection,
  identifier,
  chainId,
  name,
  artist,
  sha256,
  mintTxHash,
})

const ownershipOf = ({ owner, ownedSince, custody }: CertifiedWork) => ({
  owner,
  ownedSince: ownedSince?.toISOString() ?? null,
  custody,
})

export const viewCertificate = (work: CertifiedWork, chain: Chain): Certificate => ({
  ...workOf(work, chain),
  ...ownershipOf(work),
})

/** For the reader of a link. Of a work that has changed hands it names neither the former owner nor the present one. */
export const viewOpened = (work: CertifiedWork, { ownerId, madeAt }: Link, chain: Chain): OpenedCertificate => ({
  ...workOf(work, chain),
  madeAt: madeAt.toISOString(),
  ownership: work.ownerId === ownerId ? ownershipOf(work) : null,
})

export const viewLink = (link: Link, keys: Keys): CertificateLink => ({
  secret: secretOf(link, keys),
  madeAt: link.madeAt.toISOString(),
})

export const viewListed = (
  { identifier, name, madeAt, owned }: LinkWithWork,
  { collection }: Pick<Chain, 'collection'>,
): ListedCertificateLink => ({ contract: collection, identifier, name, madeAt: madeAt.toISOString(), owned })

function secretOf({ sealedSecret, secretHash }: Link, keys: Keys): string | null {
  try {
    return unsealStored(sealedSecret!, keys, secretHash)
  } catch {
    // The key was changed since: the link works, and cannot be shown.
    return null
  }
}

export function assertOwner({ ownerId }: { ownerId: string | null }, userId: string) {
  if (ownerId !== userId) throw forbidden('not_owner', 'This work is not yours')
}

export const tooManyLinks = () =>
  tooManyToday('too_many_certificate_links', 'You have made many links. Please try again tomorrow.')

export const linkNotFound = () => notFound('certificate_not_found', 'There is no such certificate')

/** Throws 404 with what happened to a dead link. */
export function assertLive({ ended }: Link) {
  if (ended === 'renewed') throw notFound('certificate_renewed', 'This link has been replaced by a new one')
  if (ended === 'switched_off')
    throw notFound('certificate_switched_off', 'The person who made this link has switched it off')
}
