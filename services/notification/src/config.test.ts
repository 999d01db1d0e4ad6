import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const env = (SMTP_URL: string) => ({ SMTP_URL, MAIL_TOKEN_KEY: 'k'.repeat(64) })

test.each(['mail.example:25', 'smtps://user:two words@mail.example', 'https://mail.example'])(
  'a service with the mail server %s does not start',
  (url) => {
    expect(() => readConfig(env(url))).toThrow('SMTP_URL')
  },
)

test.each(['smtp://127.0.0.1:1025', 'smtp://localhost:1025', 'smtp://[::1]:1025', 'smtp://mailbox:1025'])(
  'the local mail server %s may be without TLS',
  (url) => {
    expect(readConfig(env(url)).smtpUrl).toBe(url)
  },
)

test.each([
  'smtp://mail.example:587',
  'smtp://10.0.0.5:25/?requireTLS=false',
  'smtp://127.0.0.1.example',
  'smtps://user%40store.example:p%2Fw@mail.example:465/?pool=true',
])('the mail server %s has to offer TLS', (url) => {
  expect(new URL(readConfig(env(url)).smtpUrl).searchParams.getAll('requireTLS')).toEqual(['true'])
})

test.each([
  ['Nifty, Inc. <hello@store.example>', { name: 'Nifty, Inc.', address: 'hello@store.example' }],
  ['"Nifty" <hello@store.example>', { name: 'Nifty', address: 'hello@store.example' }],
  ['hello@store.example', { name: 'Galerie Lumen', address: 'hello@store.example' }],
])('the sender %s is one address with its name', (MAIL_FROM, from) => {
  expect(readConfig({ ...env('smtp://127.0.0.1'), MAIL_FROM, STORE_NAME: 'Galerie Lumen' }).from).toEqual(from)
})

test.each(['Nifty', 'a@store.example, b@store.example', 'Nifty <hello>', 'N <a@store.example>, b@store.example'])(
  'a service with the sender %s does not start',
  (MAIL_FROM) => {
    expect(() => readConfig({ ...env('smtp://127.0.0.1'), MAIL_FROM })).toThrow('MAIL_FROM')
  },
)

test.each([
  ['Nifty', { name: 'Nifty Digital Art Ltd', email: 'hello@nifty.example' }],
  ['Galerie Lumen', { name: 'Galerie Lumen Digital Art Ltd', email: 'hello@galerielumen.example' }],
  ['光', { name: '光 Digital Art Ltd', email: 'hello@store.example' }],
])('without COMPANY_… the store %s has an invented company of its name', (STORE_NAME, company) => {
  expect(readConfig({ ...env('smtp://127.0.0.1'), STORE_NAME }).store.company).toMatchObject(company)
})

test.each(['COMPANY_NAME', 'COMPANY_NUMBER', 'COMPANY_REGISTER', 'COMPANY_ADDRESS'])(
  'a %s of two lines is refused: it stands in the head of mails and pages',
  (variable) => {
    expect(() => readConfig({ ...env('smtp://127.0.0.1'), [variable]: 'Galerie Nord\nBcc: all' })).toThrow(variable)
  },
)

test.each(['k'.repeat(31), `${'k'.repeat(32)},`, `${'k'.repeat(32)},${'l'.repeat(31)}`])(
  'MAIL_TOKEN_KEY %s is refused: a value is too short',
  (MAIL_TOKEN_KEY) => {
    expect(() => readConfig({ ...env('smtp://127.0.0.1'), MAIL_TOKEN_KEY })).toThrow('MAIL_TOKEN_KEY')
  },
)

test('mails name the company of the COMPANY_… variables', () => {
  const company = { COMPANY_NAME: 'Galerie Nord GmbH', COMPANY_ADDRESS: 'Deichstraße 1; 20459 Hamburg' }
  expect(readConfig({ ...env('smtp://127.0.0.1'), ...company }).store.company).toMatchObject({
    name: 'Galerie Nord GmbH',
    address: ['Deichstraße 1', '20459 Hamburg'],
  })
})

test('mails have the look of BRANDING_DIR, which is refused where it cannot be shown', async () => {
  const BRANDING_DIR = await temporaryFolder('branding')
  const read = () => readConfig({ ...env('smtp://127.0.0.1'), BRANDING_DIR }).store.look
  expect(read()).toMatchObject({ colours: { head: '#0b0b0d' }, logo: null })
  await writeFile(join(BRANDING_DIR, 'theme.css'), ':root {\n  --background: #ffffff;\n}\n')
  expect(read()).toMatchObject({ colours: { head: '#ffffff' } })
  await writeFile(join(BRANDING_DIR, 'logo.png'), 'no picture')
  expect(read).toThrow('logo.png is no whole PNG')
})
