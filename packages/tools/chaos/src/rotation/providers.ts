import { once } from 'node:events'
import { rename, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'

/** Values that a server admits. */
export type Admitted = { add: (value: string) => void; remove: (value: string) => void }

function admitting(...values: string[]) {
  const admitted = new Set(values)
  const add = (value: string) => void admitted.add(value)
  const remove = (value: string) => void admitted.delete(value)
  return { admits: (value: string) => admitted.has(value), add, remove }
}

async function listen(respond: RequestListener) {
  const server = createServer(respond)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const stop = async () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

const MAIL_USER = 'shop'

/** A mail server that takes mails of logged in clients only, by one user with several passwords. */
export async function startMailServer(password: string) {
  const { admits, ...passwords } = admitting(password)
  /** Message ids of the mails that it took. */
  const taken = new Set<string>()
  let refusals = 0
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    authMethods: ['PLAIN'],
    onAuth: ({ username, password: given }, _session, done) => {
      if (username === MAIL_USER && given && admits(given)) return done(null, { user: given })
      refusals++
      done(Object.assign(new Error('Authentication credentials invalid'), { responseCode: 535 }))
    },
    // A mail, not only a log-in: connections stay open.
    onMailFrom: (_address, { user }, done) => {
      if (admits(String(user))) return done()
      refusals++
      done(Object.assign(new Error('Authentication required'), { responseCode: 530 }))
    },
    onData: (stream, _session, done) => {
      text(stream).then((mail) => {
        taken.add(/^Message-ID:\s*<([^>]*)>/im.exec(mail)?.[1] ?? '')
        done()
      }, done)
    },
  })
  // Of a client that closes its connection.
  server.on('error', () => {})
  const { port } = await new Promise<AddressInfo>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => resolve(listening.address() as AddressInfo))
  })
  const urlWith = (given: string) => `smtp://${MAIL_USER}:${given}@127.0.0.1:${port}`
  return {
    ...passwords,
    taken,
    refusals: () => refusals,
    urlWith,
    admits: async (given: string) => {
      const transport = createTransport(urlWith(given))
      return transport
        .verify()
        .catch(() => false)
        .finally(() => transport.close())
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/**
 * Nodes of a chain, whose addresses end with a key. The chain is known once it has started; its address is the body of
 * `PUT /`.
 */
export async function startChainNodes(...keys: string[]) {
  const { admits, ...admitted } = admitting(...keys)
  let target: string | undefined
  const { url, stop } = await listen(async (request, response) => {
    const body = await buffer(request)
    if (request.method === 'PUT') {
      target = body.toString()
      return response.end()
    }
    if (!target || !admits(request.url!.slice(1))) return response.writeHead(401).end()
    const answer = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).catch(() => undefined)
    if (!answer) return response.writeHead(502).end()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  const urlWith = (key: string) => `${url}/${key}`
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  return {
    ...admitted,
    url,
    urlWith,
    admits: async (key: string) => (await fetch(urlWith(key), { method: 'POST', body: call })).ok,
    stop,
  }
}

const TOKEN_LIFE_S = 60

/** Unsecured (RFC 7519, 6). */
function tokenOf(user: string) {
  const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
  const iat = Math.floor(Date.now() / 1_000)
  return `${part({ alg: 'none' })}.${part({ sub: user, iat, exp: iat + TOKEN_LIFE_S })}.`
}

/** The broker closes the connections of a token that has ended; kubelet replaces a projected one before. */
const TOKEN_REPLACED_EVERY_MS = (TOKEN_LIFE_S / 4) * 1_000

/** A file with a token of a user, which is replaced until `stop`. */
export async function startTokenFile(file: string, user: string) {
  const tokens: string[] = []
  async function replace() {
    tokens.push(tokenOf(user))
    await writeFile(`${file}.next`, tokens.at(-1)!)
    await rename(`${file}.next`, file)
  }
  await replace()
  const timer = setInterval(replace, TOKEN_REPLACED_EVERY_MS)
  return { file, first: tokens[0]!, count: () => tokens.length, stop: async () => clearInterval(timer) }
}

/** A token endpoint with one client of several secrets; its tokens are of that user. */
export async function startTokenEndpoint(client: string, secret: string) {
  const { admits, ...secrets } = admitting(secret)
  const authorizationOf = (given: string) => `Basic ${Buffer.from(`${client}:${given}`).toString('base64')}`
  const { url, stop } = await listen(({ headers: { authorization = '' } }, response) => {
    const [user, given = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')
    if (user !== client || !admits(given)) return response.writeHead(401).end('{}')
    response.end(JSON.stringify({ access_token: tokenOf(client), expires_in: TOKEN_LIFE_S }))
  })
  return {
    ...secrets,
    url,
    admits: async (given: string) =>
      (await fetch(url, { method: 'POST', headers: { authorization: authorizationOf(given) } })).ok,
    stop,
  }
}
