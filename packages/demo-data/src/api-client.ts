import type { SignedIn } from '@nifty/api/auth'
import { Wallet } from 'ethers'

/** A service that is asked: an app in this process, or one that listens elsewhere. */
export type Door = {
  inject: (request: {
    method: 'GET' | 'POST' | 'PUT'
    url: string
    headers: Record<string, string>
    payload?: object
  }) => PromiseLike<{ statusCode: number; body: string; json: () => any }>
}
export type Apps = { auth: Door; minting: Door; catalog: Door }
export type Account = SignedIn & { email: string }
type Fields = Record<string, string | Buffer>

const contentTypes = { jpeg: 'image/jpeg' } as const

/** Uses the store as a browser would, but at the services' own doors, where no gateway counts the calls. */
export function createVisitor(apps: Apps) {
  async function call<Answer>(
    app: Door,
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    options: { token?: string; body?: object; fields?: Fields; key?: string } = {},
  ) {
    const multipart = options.fields && (await encode(options.fields))
    const response = await app.inject({
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
      throw new Refused(`${method} ${url}: ${response.statusCode} ${response.body}`, response.statusCode)
    return response.json() as Answer
  }

  return {
    call,
    /** Signing up again with the same address changes nothing, so a start that was killed can go on. */
    /** Signing up again with the same address changes nothing, so a start that was killed can go on. */
    signUp: ({
      username,
      ...person
    }: {
      firstName: string
      lastName: string
      username: string
      email: string
      password: string
    }) => call(apps.auth, 'POST', '/api/auth/signup', { body: { ...person, username: `@${username}` } }),
    logIn: async ({ email, password }: { email: string; password: string }): Promise<Account> => ({
      ...(await call<SignedIn>(apps.auth, 'POST', '/api/auth/login', { body: { email, password } })),
      email,
    }),
    describe: ({ token, userId }: Account, profile: object) =>
      call(apps.auth, 'PUT', `/api/users/${userId}`, { token, body: profile }),
    showFace: ({ token, userId }: Account, avatar: Buffer) =>
      call(apps.auth, 'PUT', `/api/users/${userId}/upload-avatar`, { token, fields: { avatar } }),
    linkWallet: async ({ token, userId }: Account, privateKey: string) => {
      const wallet = new Wallet(privateKey)
      const metamaskAddress = wallet.address
      const { message } = await call<{ message: string }>(apps.auth, 'POST', '/api/wallet/challenge', {
        token,
        body: { address: metamaskAddress },
      })
      const signature = await wallet.signMessage(message)
      await call(apps.auth, 'POST', '/api/wallet/connect-metamask', {
        token,
        body: { userId, metamaskAddress, message, signature },
      })
    },
    mint: ({ token }: Account, fields: Fields, key: string) =>
      call(apps.minting, 'POST', '/api/mints', { token, fields, key }),
    worksInMarket: async () =>
      (await call<{ total: number }>(apps.catalog, 'GET', '/api/nfts/market?page=1&limit=1')).total,
  }
}

export class Refused extends Error {
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
