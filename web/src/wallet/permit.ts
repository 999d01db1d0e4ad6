import { request, send } from '../api.ts'

type Token = { contract: string; identifier: string }
type PermitRequest = { typedData: unknown; deadline: string }

/** What the owner signs, so that the store may deliver a token out of the owner's wallet once it is paid. */
export const askForPermit = ({ contract, identifier }: Token) =>
  request<PermitRequest>(`/api/permits/${encodeURIComponent(contract)}/${encodeURIComponent(identifier)}`, {
    withToken: true,
  })

/** Hands the signed permit to the store. */
export const givePermit = (token: Token, deadline: string, signature: string) =>
  send('/api/permits', { withToken: true, body: { ...token, deadline, signature } })
