import type { SignedIn } from '@nifty/api/auth/public'
import { Wallet } from 'ethers'

/** Sends requests to one service: `inject` of a Fastify app in this process, or the same over HTTP. */
export type HttpClient = {
  inject: (request: {
    method: 'GET' | 'POST' | 'PUT'
    url: string
    headers: Record<string, string>
    payload?: object
  }) => PromiseLike<{ statusCode: number; body: string; json: () => any }>
}
export type HttpClients = { auth: HttpClient; minting: HttpClient; catalog: HttpClient }
export type Account = SignedIn & { email: string }
type Fields = Record<string, string | Buffer>

const contentTypes = { jpeg: 'image/jpeg' } as const

/** The calls that a browser makes, sent to the services directly because the gateway limits their rate. */
export function createApiClient(services: HttpClients) {
  async function call<Result>(
    service: HttpClient,
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    options: { token?: string; body?: object; fields?: Fields; key?: string } = {},
  ) {
    const multipart = options.fields && (await encode(options.fields))
    const response = await service.inject({
      method,
      url,
      headers: {
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...(options.key ? { 'idempotency-key': options.key } : {}),
        ...(multipart ? { 'content-type': multipart.type } : {}),
      },
      payload: multipart?.body ?? options.body,
    })
    if (response.statusCode >= 400)
      throw new ApiError(`${method} ${url}: ${response.statusCode} ${response.body}`, response.statusCode)
    return response.json() as Result
  }

  return {
    /** A repeated sign-up with the same address changes nothing. */
    signUp: ({
      username,
      ...person
    }: {
      firstName: string
      lastName: string
      username: string
      email: string
      password: string
    }) => call(services.auth, 'POST', '/api/auth/signup', { body: { ...person, username: `@${username}` } }),
    logIn: async ({ email, password }: { email: string; password: string }): Promise<Account> => ({
      ...(await call<SignedIn>(services.auth, 'POST', '/api/auth/login', { body: { email, password } })),
      email,
    }),
    updateProfile: ({ token, userId }: Account, profile: object) =>
      call(services.auth, 'PUT', `/api/users/${userId}`, { token, body: profile }),
    uploadAvatar: ({ token, userId }: Account, avatar: Buffer) =>
      call(services.auth, 'PUT', `/api/users/${userId}/upload-avatar`, { token, fields: { avatar } }),
    linkWallet: async ({ token, userId }: Account, privateKey: string) => {
      const wallet = new Wallet(privateKey)
      const metamaskAddress = wallet.address
      const { message } = await call<{ message: string }>(services.auth, 'POST', '/api/wallet/challenge', {
        token,
        body: { address: metamaskAddress },
      })
      const signature = await wallet.signMessage(message)
      await call(services.auth, 'POST', '/api/wallet/connect-metamask', {
        token,
        body: { userId, metamaskAddress, message, signature },
      })
    },
    mint: ({ token }: Account, fields: Fields, key: string) =>
      call(services.minting, 'POST', '/api/mints', { token, fields, key }),
    countMarketItems: async () =>
      (await call<{ total: number }>(services.catalog, 'GET', '/api/nfts/market?page=1&limit=1')).total,
  }
}

export type ApiClient = ReturnType<typeof createApiClient>

export class ApiError extends Error {
  readonly statusCode: number

  constructor(message: string, statusCode: number) {
    super(message)
    this.statusCode = statusCode
  }
}

async function encode(fields: Fields) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value)], { type: contentTypes.jpeg }), `${name}.jpg`)
  const encoded = new Response(form)
  return { type: encoded.headers.get('content-type')!, body: Buffer.from(await encoded.arrayBuffer()) }
}
