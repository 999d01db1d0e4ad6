/** Certificates of works: what is true of a work now, for its owner, and behind a secret link for others. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Done, IsoDate, Nullable } from '../shapes.ts'

const work = {
  contract: Type.String(),
  identifier: Type.String(),
  chainId: Type.Integer(),
  /** This and the next three as minted; null where the mint was lost. */
  name: Nullable(Type.String()),
  /** Username; null also for a deleted account. */
  artist: Nullable(Type.String()),
  /** SHA-256 of the original file, in hex. */
  sha256: Nullable(Type.String()),
  /** Transaction of the mint. */
  mintTxHash: Nullable(Type.String()),
}

const ownership = {
  /** Username. */
  owner: Nullable(Type.String()),
  /** When the owner got it on the chain; moves between custody and a wallet of the owner's change nothing. */
  ownedSince: Nullable(IsoDate),
  /** In the store's custody, or else in a wallet of the owner's. */
  custody: Type.Boolean(),
}

export type Certificate = Static<typeof Certificate>
export const Certificate = Type.Object({ ...work, ...ownership })

export type CertificateLink = Static<typeof CertificateLink>
export const CertificateLink = Type.Object({
  /** For the fragment of the link; null where the key it is encrypted with was changed: the link still works. */
  secret: Nullable(Type.String()),
  madeAt: IsoDate,
})

export type OwnCertificate = Static<typeof OwnCertificate>
export const OwnCertificate = Type.Object({ ...Certificate.properties, link: Nullable(CertificateLink) })

/** `ownership` is null once the work is no longer the account's that made the link. */
export type OpenedCertificate = Static<typeof OpenedCertificate>
export const OpenedCertificate = Type.Object({
  ...work,
  madeAt: IsoDate,
  ownership: Nullable(Type.Object(ownership)),
})

const byToken = Type.Object({ contract: Type.String(), identifier: Type.String() })

export type ListedCertificateLink = Static<typeof ListedCertificateLink>
export const ListedCertificateLink = Type.Object({
  contract: Type.String(),
  identifier: Type.String(),
  /** As minted; null where the mint was lost. */
  name: Nullable(Type.String()),
  madeAt: IsoDate,
  /** Whether the work is still the caller's: only then the link can be renewed. */
  owned: Type.Boolean(),
})

export const listCertificateLinks = endpoint({
  summary: "Lists the caller's links of certificates",
  description: 'Those that still open a certificate, newest first, at most 200.',
  method: 'GET',
  path: '/api/certificates',
  access: 'account',
  response: Type.Object({ links: Type.Array(ListedCertificateLink) }),
})

export const getCertificate = endpoint({
  summary: 'Returns the certificate of an owned work',
  description: 'With its link if there is one. 403 `not_owner`.',
  method: 'GET',
  path: '/api/certificates/:contract/:identifier',
  access: 'account',
  params: byToken,
  response: OwnCertificate,
})

export const makeCertificateLink = endpoint({
  summary: "Makes the link of an owned work's certificate",
  description:
    'A former one of the same account is dead. 403 `not_owner`; 429 `too_many_certificate_links` after 200 in a ' +
    'day.',
  method: 'POST',
  path: '/api/certificates/:contract/:identifier/link',
  access: 'account',
  limit: limits.certificates,
  params: byToken,
  response: CertificateLink,
})

export const removeCertificateLink = endpoint({
  summary: "Switches off the caller's link of a certificate",
  description: "Also of a work that is no longer the caller's. Idempotent. 403 `not_owner`.",
  method: 'DELETE',
  path: '/api/certificates/:contract/:identifier/link',
  access: 'account',
  limit: limits.certificates,
  params: byToken,
  response: Done,
})

export const openCertificate = endpoint({
  summary: 'Returns what is true now of the work of a link',
  description:
    '404 `certificate_not_found` for a link that never was one, or whose account is deleted; ' +
    '`certificate_renewed` and `certificate_switched_off` for one that is dead.',
  method: 'POST',
  path: '/api/certificates/open',
  access: 'public',
  limit: limits.certificates,
  body: Type.Object({ secret: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: OpenedCertificate,
})
