import { randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, request } from 'node:http'
import { requestPasswordReset, signup } from '@nifty/api/auth/public'
import { createApiClient } from '@nifty/testkit/api-client'
import { linkInMail } from '@nifty/testkit/mailbox'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'

const { run } = await sharedStore()
const FORGED = 'evil.example'
const forged = {
  host: FORGED,
  'x-forwarded-host': FORGED,
  'x-forwarded-proto': 'gopher',
  forwarded: `host=${FORGED}`,
  'x-original-url': `//${FORGED}/`,
}

type Answer = { status: number; headers: IncomingHttpHeaders; body: string }

/** `fetch` sets the header Host itself. */
const send = (method: string, path: string, body?: object): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(run.url)
    const headers = { ...forged, ...(body ? { 'content-type': 'application/json' } : {}) }
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks).toString() }),
      )
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })

test('a forged Host is in no document, redirect or error', async () => {
  const work = await availableWork(createApiClient(run))
  const share = `/share/home/${'a'.repeat(20)}.jpg`
  const documents = ['/', '/explore-one', itemPath(work), '/no/such/page', '/sitemap.xml', '/sitemap-pages.xml']
  const others = ['/robots.txt', '/config.json', '/api/docs', '/api/nothing', '/api/auth/user', share, '//evil.test/..']
  for (const path of [...documents, ...others]) {
    const { status, headers, body } = await send('GET', path)
    expect(status, path).toBeLessThan(500)
    expect(JSON.stringify(headers) + body, path).not.toContain(FORGED)
  }
  expect((await send('GET', '/')).body).toContain(`content="${run.url}/`)
  expect((await send('GET', share)).headers.location).toMatch(/^\/share\/home\/[0-9a-f]{20}\.jpg$/)
})

test('a forged Host is in no mail', async () => {
  const name = randomUUID().slice(0, 8)
  const person = { firstName: 'Nora', lastName: 'Host', username: `@${name}`, email: `${name}@people.example` }
  const { status } = await send(signup.method, signup.path, { ...person, password: 'a long enough password' })
  expect(status).toBe(200)
  const confirmation = await linkInMail(run, person.email, /https?:\/\/\S+\/accept\?token=\S+/)
  expect(confirmation).toMatch(new RegExp(`^${run.url}/`))

  await send(requestPasswordReset.method, requestPasswordReset.path, { email: person.email })
  const reset = await linkInMail(run, person.email, /https?:\/\/\S+\/reset-password\/\S+/)
  expect(reset).toMatch(new RegExp(`^${run.url}/`))
})
