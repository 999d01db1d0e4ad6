import { writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTokenEndpoint } from '../../testing/token-endpoint.ts'
import { tokenProvider } from './oauth.ts'

const client = { mechanism: 'oauthbearer' as const, clientId: 'auth', clientSecret: 'p:ss', scope: 'kafka' }

test('a file is read for each connection', async () => {
  const tokenFile = join(await temporaryFolder('token'), 'token')
  const provide = tokenProvider({ mechanism: 'oauthbearer', tokenFile })
  for (const token of ['first', 'second']) {
    await writeFile(tokenFile, `${token}\n`)
    expect(await provide()).toEqual({ value: token })
  }
})

test('a token of an endpoint is requested by the credentials of the client, and again near its end', async () => {
  const { requests, tokenUrl } = await startTokenEndpoint([
    { access_token: 'first', expires_in: 3600 },
    { access_token: 'unused' },
  ])
  const provide = tokenProvider({ ...client, tokenUrl })
  expect([await provide(), await provide()]).toEqual([{ value: 'first' }, { value: 'first' }])
  const authorization = `Basic ${Buffer.from('auth:p%3Ass').toString('base64')}`
  expect(requests).toEqual([{ authorization, body: 'grant_type=client_credentials&scope=kafka' }])

  const short = await startTokenEndpoint([{ access_token: 'first', expires_in: 1e-6 }, { access_token: 'second' }])
  const again = tokenProvider({ ...client, tokenUrl: short.tokenUrl })
  expect([await again(), await again()]).toEqual([{ value: 'first' }, { value: 'second' }])
})

test('an endpoint that refuses, or returns no token, is an error, and is asked again', async () => {
  const { tokenUrl } = await startTokenEndpoint([{}, { access_token: '' }, { access_token: 'third' }])
  const provide = tokenProvider({ ...client, tokenUrl })
  await expect(provide()).rejects.toThrow('status 401')
  await expect(provide()).rejects.toThrow('status 200')
  expect(await provide()).toEqual({ value: 'third' })
})

/** An endpoint of a test's own. */
async function startEndpoint(respond: RequestListener) {
  const server = createServer(respond)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return tokenProvider({ ...client, tokenUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
}

test('a response without an end is not read to its end', async () => {
  let sent = 0
  const provide = await startEndpoint(async (_request, response) => {
    const pages = async function* () {
      for (; sent < 2_000; sent++) yield Buffer.alloc(64 * 1024, ' ')
    }
    await pipeline(pages, response).catch(() => {})
  })
  await expect(provide()).rejects.toThrow('returns no token, but status 200')
  expect(sent).toBeLessThan(2_000)
})

test('a redirect is not followed, a page and a refusal with a token are none', async () => {
  const paths: string[] = []
  const redirecting = await startEndpoint((request, response) => {
    paths.push(request.url!)
    response.writeHead(request.url === '/' ? 307 : 200, { location: '/elsewhere' }).end('{"access_token":"a"}')
  })
  await expect(redirecting()).rejects.toThrow()
  expect(paths).toEqual(['/'])
  const page = await startEndpoint((_request, response) => response.end('<html>log in</html>'))
  await expect(page()).rejects.toThrow('returns no token, but status 200')
  const refusing = await startEndpoint((_request, response) => response.writeHead(403).end('{"access_token":"a"}'))
  await expect(refusing()).rejects.toThrow('status 403')
})

test('a token is used for four fifths of its life, which is a minute where the endpoint does not say', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const { tokenUrl } = await startTokenEndpoint([
    { access_token: 'first', expires_in: 100 },
    { access_token: 'second' },
  ])
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  const provide = tokenProvider({ ...client, tokenUrl })
  await provide()
  clock.mockReturnValue(80_000)
  expect(await provide()).toEqual({ value: 'first' })
  clock.mockReturnValue(80_001)
  expect(await provide()).toEqual({ value: 'second' })
  clock.mockReturnValue(80_001 + 48_001)
  await expect(provide()).rejects.toThrow('status 401')
})

test.each([0, -1, '3600'])('a life of %j is no token', async (expires_in) => {
  const { tokenUrl } = await startTokenEndpoint([{ access_token: 'first', expires_in }])
  await expect(tokenProvider({ ...client, tokenUrl })()).rejects.toThrow('returns no token')
})
