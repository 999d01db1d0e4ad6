import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'
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
