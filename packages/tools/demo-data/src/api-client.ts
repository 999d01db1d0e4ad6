import type { SignedIn } from '@nifty/api/auth/account'
import { uploadCover } from '@nifty/api/auth/covers'
import { changeProfile, connectMetamask, login, signup, uploadAvatar, walletChallenge } from '@nifty/api/auth/public'
import { getMarket } from '@nifty/api/catalog/public'
import {
  type Endpoint,
  type EndpointInput,
  type EndpointResponse,
  endpointUrl,
  STEP_UP_HEADER,
} from '@nifty/api/endpoint'
import { createMint } from '@nifty/api/minting/public'
import type { ServiceName } from '@nifty/api/services'
import { Wallet } from 'ethers'

/** Sends requests to one service: `inject` of a Fastify app in this process, or the same over HTTP. */
export type HttpClient = {
  inject: (request: {
    method: Endpoint['method']
    url: string
    headers: Record<string, string>
    payload?: object
  }) => PromiseLike<{ statusCode: number; body: string; json: () => any }>
}
export type HttpClients = Record<ServiceName, HttpClient>
export type Account = SignedIn & { email: string }
type Fields = Record<string, string | Buffer>
type Sent = { token?: string; stepUp?: string; fields?: Fields; key?: string }

/** The calls that a browser makes, sent to the services directly because the gateway limits their rate. */
export function createApiClient(services: HttpClients) {
  async function call<E extends Endpoint>(
    service: HttpClient,
    endpoint: E,
    { token, stepUp, fields, key, ...input }: EndpointInput<E> & Sent,
  ): Promise<EndpointResponse<E>> {
    const { params, query, body } = input as { params?: object; query?: object; body?: object }
    const url = endpointUrl(endpoint, { params: { ...params }, query: { ...query } })
    const multipart = fields && (await encode(fields))
    const response = await service.inject({
      method: endpoint.method,
      url,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(stepUp ? { [STEP_UP_HEADER]: stepUp } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
        ...(multipart ? { 'content-type': multipart.type } : {}),
      },
      payload: multipart?.body ?? body,
    })
    if (response.statusCode >= 400)
      throw new ApiError(`${endpoint.method} ${url}: ${response.statusCode} ${response.body}`, response)
    return response.json()
  }

  return {
    /** Creates the account unless a former run did. */
    signUp: async ({
      username,
      ...person
    }: {
      firstName: string
      lastName: string
      username: string
      email: string
      password: string
    }) => {
      const body = { ...person, username: `@${username}` }
      await call(services.auth, signup, { body }).catch((error) => {
        if (!(error instanceof ApiError && error.code === 'username_unavailable')) throw error
      })
    },
    logIn: async ({ email, password }: { email: string; password: string }): Promise<Account> => {
      const signedIn = await call(services.auth, login, { body: { email, password } })
      if (!signedIn.success) throw new Error(`${email}: ${signedIn.code}`)
      return { ...signedIn, email }
    },
    updateProfile: ({ token, userId }: Account, profile: { description: string; occupation: string }) =>
      call(services.auth, changeProfile, { token, params: { id: userId }, body: profile }),
    uploadAvatar: ({ token, userId }: Account, avatar: Buffer) =>
      call(services.auth, uploadAvatar, { token, params: { id: userId }, fields: { avatar } }),
    uploadCover: ({ token, userId }: Account, cover: Buffer) =>
      call(services.auth, uploadCover, { token, params: { id: userId }, fields: { cover } }),
    linkWallet: async ({ token, stepUp, userId }: Account, privateKey: string) => {
      const wallet = new Wallet(privateKey)
      const metamaskAddress = wallet.address
      const { message } = await call(services.auth, walletChallenge, { token, body: { address: metamaskAddress } })
      const signature = await wallet.signMessage(message)
      const body = { userId, metamaskAddress, message, signature }
      await call(services.auth, connectMetamask, { token, stepUp, body })
    },
    mint: ({ token }: Account, fields: Fields, key: string) =>
      call(services.minting, createMint, { token, fields, key }),
    countMarketItems: async () => (await call(services.catalog, getMarket, { query: { page: '1', limit: '1' } })).total,
  }
}

export type ApiClient = ReturnType<typeof createApiClient>

export class ApiError extends Error {
  readonly statusCode: number

  readonly code: unknown

  constructor(message: string, { statusCode, body }: { statusCode: number; body: string }) {
    super(message)
    this.statusCode = statusCode
    this.code = body.startsWith('{') ? JSON.parse(body).code : undefined
  }
}

async function encode(fields: Fields) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value)], { type: 'image/webp' }), `${name}.webp`)
  const encoded = new Response(form)
  return { type: encoded.headers.get('content-type')!, body: Buffer.from(await encoded.arrayBuffer()) }
}
