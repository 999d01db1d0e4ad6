import { getNft, type NftDetail } from '@nifty/api/catalog/public'
import {
  getCertificate,
  listCertificateLinks,
  makeCertificateLink as makeEndpoint,
  openCertificate as openEndpoint,
  removeCertificateLink as removeEndpoint,
} from '@nifty/api/minting/certificates'
import { send } from '../api/api.ts'
import { useEndpoint } from '../api/use-endpoint.ts'

type Token = { contract: string; identifier: string }

/** The certificate of a work of the user's. An error with the status 403: it is not the user's. */
export function useCertificate({ contract, identifier }: Token) {
  const { data, error, mutate } = useEndpoint(
    getCertificate,
    { params: { contract, identifier } },
    { shouldRetryOnError: false },
  )
  return { certificate: data, error, reload: () => mutate() }
}

/** The links that the user made and that still open a certificate, newest first. */
export function useCertificateLinks() {
  const { data, error, mutate } = useEndpoint(listCertificateLinks, {})
  return { links: data?.links, error, reload: () => mutate() }
}

/** The API lists at most this many links. */
export const maxListedLinks = 200

/** The work as the store shows it; `missing` while the store does not show it, or fails. */
export function useShownWork(token: Token | undefined): { item: NftDetail | undefined; missing: boolean } {
  const { data, error } = useEndpoint(
    getNft,
    token ? { params: { username: 'unknown', contract: token.contract, identifier: token.identifier } } : null,
    { shouldRetryOnError: ({ status }) => status !== 404, revalidateOnFocus: false },
  )
  return { item: data, missing: !data && error !== undefined }
}

const paramsOf = ({ contract, identifier }: Token) => ({ params: { contract, identifier } })
export const makeCertificateLink = (token: Token) => send(makeEndpoint, paramsOf(token))
export const removeCertificateLink = (token: Token) => send(removeEndpoint, paramsOf(token))
export const openCertificate = (secret: string) => send(openEndpoint, { body: { secret } })
