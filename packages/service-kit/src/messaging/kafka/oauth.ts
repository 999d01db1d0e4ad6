import { readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

/** Where a client gets the bearer token of SASL OAUTHBEARER (RFC 7628) from. */
export type OauthLogin =
  | { mechanism: 'oauthbearer'; tokenFile: string }
  | { mechanism: 'oauthbearer'; tokenUrl: string; clientId: string; clientSecret: string; scope?: string }

const REQUEST_MS = 5_000
/** A token is used for this share of its life. */
const USED_SHARE = 0.8
const DEFAULT_LIFE_S = 60
/** More than any token; the rest is not read. */
const MAX_RESPONSE_BYTES = 256 * 1024

const TokenResponse = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  expires_in: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
})

/**
 * The token of each new or renewed connection: the file is read anew each time, as Kubernetes replaces a projected
 * token; one of a token endpoint (client credentials, RFC 6749 4.4) is kept until a fifth of its life is left.
 */
export function tokenProvider(login: OauthLogin): () => Promise<{ value: string }> {
  if ('tokenFile' in login) return async () => ({ value: (await readFile(login.tokenFile, 'utf8')).trim() })
  let kept: { value: string; until: number } | undefined
  return async () => {
    if (!kept || performance.now() > kept.until) kept = await requestToken(login)
    return { value: kept.value }
  }
}

async function requestToken({ tokenUrl, clientId, clientSecret, scope }: Extract<OauthLogin, { tokenUrl: string }>) {
  const credentials = [clientId, clientSecret].map((part) => encodeURIComponent(part)).join(':')
  const response = await fetch(tokenUrl, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}`, accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) }),
    redirect: 'error',
    signal: AbortSignal.timeout(REQUEST_MS),
  })
  const body = await readJson(response)
  if (!response.ok || !Value.Check(TokenResponse, body))
    throw new Error(`KAFKA_OAUTH_TOKEN_URL returns no token, but status ${response.status}`)
  const lifeMs = (body.expires_in ?? DEFAULT_LIFE_S) * 1_000
  return { value: body.access_token, until: performance.now() + lifeMs * USED_SHARE }
}

/** Undefined for a body that is too large, incomplete or no JSON. */
async function readJson({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body ?? []) {
      length += chunk.length
      if (length > MAX_RESPONSE_BYTES) return undefined
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}
