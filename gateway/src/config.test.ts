import { serviceNames, urlVariable } from '@nifty/api/services'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { contentSecurityPolicy } from './security/security.ts'

const services = Object.fromEntries(serviceNames.map((name) => [urlVariable(name), 'http://service.test']))

/** The sources of each directive of the policy under these variables. */
function policyWith(env: Record<string, string>) {
  const config = readConfig({ PUBLIC_URL: 'https://store.test', ...services, ...env })
  const rules = contentSecurityPolicy(config.thirdPartyHosts).split('; ')
  return Object.fromEntries(rules.map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]))
}

test('Google Analytics may report what it measures', () => {
  const policy = policyWith({ ANALYTICS_URL: 'https://www.googletagmanager.com/gtag/js?id=G-STORE' })
  for (const directive of ['connect-src', 'img-src']) {
    expect(policy[directive]).toContain('https://*.google-analytics.com')
    expect(policy[directive]).toContain('https://*.analytics.google.com')
  }
  expect(policy['script-src']).toEqual(["'self'", 'https://www.googletagmanager.com'])
})

test('further origins of third parties come from THIRD_PARTY_ORIGINS, and nothing else is allowed', () => {
  const origins = ['https://*.measure.example', 'https://tags.example']
  const policy = policyWith({
    ANALYTICS_URL: 'https://statistics.example/s.js',
    THIRD_PARTY_ORIGINS: origins.join(','),
  })
  for (const directive of ['script-src', 'connect-src'])
    expect(policy[directive]).toEqual(["'self'", 'https://statistics.example', ...origins])
})

test.each(['tags.example', 'https://tags.example/path', "https://a.example; script-src 'unsafe-inline'"])(
  'THIRD_PARTY_ORIGINS=%j is refused',
  (value) => {
    expect(() => policyWith({ THIRD_PARTY_ORIGINS: value })).toThrow('THIRD_PARTY_ORIGINS')
  },
)

test.each([
  ['https://www.youtube.com/watch?v=abc', 'https://www.youtube-nocookie.com'],
  ['https://youtu.be/abc', 'https://www.youtube-nocookie.com'],
  ['https://vimeo.com/76979871', 'https://player.vimeo.com'],
  ['https://films.example/loop', 'https://films.example'],
])('the video %s may be framed from the host that the page embeds', (url, host) => {
  expect(policyWith({ VIDEO_URL: url })['frame-src']).toEqual([host])
})

test('pages get the waiting time of custody, the commission, whether there are offers and auctions, a node and an explorer of the chain from their variables', () => {
  const env = {
    CUSTODY_HOLD_HOURS: '24',
    COMMISSION_PERCENT: '12.5',
    OFFERS: 'false',
    AUCTIONS: 'false',
    CHAIN_PUBLIC_RPC_URL: 'https://node.example',
    CHAIN_EXPLORER_URL: 'https://explorer.example',
  }
  expect(readConfig({ PUBLIC_URL: 'https://store.test', ...services, ...env }).frontEnd).toMatchObject({
    custodyHoldHours: 24,
    commissionPercent: 12.5,
    offers: false,
    auctions: false,
    chainRpcUrl: 'https://node.example',
    explorerUrl: 'https://explorer.example',
  })
})

test('the tag manager of TAG_MANAGER_URL may run, and pages get its address', () => {
  const url = 'https://tags.example/gtm.js?id=GTM-STORE'
  expect(policyWith({ TAG_MANAGER_URL: url })['script-src']).toEqual(["'self'", 'https://tags.example'])
  const { frontEnd } = readConfig({ PUBLIC_URL: 'https://store.test', ...services, TAG_MANAGER_URL: url })
  expect(frontEnd.tagManagerUrl).toBe(url)
})

test('what the store is called comes from STORE_… variables, a line of text each', () => {
  const read = (env: NodeJS.ProcessEnv) =>
    readConfig({ PUBLIC_URL: 'https://store.test', ...services, ...env }).frontEnd.store
  expect(read({})).toEqual({ name: 'Nifty', tagline: expect.stringContaining('leading store') })
  const name = '<b>Lumen & Söhne</b>'
  expect(read({ STORE_NAME: name, STORE_TAGLINE: 'Art on 1 m²' })).toEqual({ name, tagline: 'Art on 1 m²' })
  for (const wrong of [
    ' Lumen',
    'Lumen ',
    ' ',
    'Lu\nmen',
    'Lu\r\nBcc: a@b.test',
    'Lu\u202Emen',
    'L\u200Bumen',
    '\u3164',
    'Lumen\u2800',
    '\u0301Lumen',
    'x'.repeat(41),
  ])
    expect(() => read({ STORE_NAME: wrong }), JSON.stringify(wrong)).toThrow('STORE_NAME')
  expect(() => read({ STORE_TAGLINE: 'Art\u2028here' })).toThrow('STORE_TAGLINE')
})

test('who runs the store comes from COMPANY_… variables, the address line by line', () => {
  const company = {
    COMPANY_NAME: 'Galerie Nord GmbH',
    COMPANY_NUMBER: '0012',
    COMPANY_REGISTER: 'Amtsgericht Hamburg',
    COMPANY_ADDRESS: 'Deichstraße 1; 20459 Hamburg',
    COMPANY_EMAIL: 'post@nord.example',
  }
  const { frontEnd } = readConfig({ PUBLIC_URL: 'https://store.test', ...services, ...company })
  expect(frontEnd.company).toEqual({
    name: 'Galerie Nord GmbH',
    number: '0012',
    register: 'Amtsgericht Hamburg',
    address: ['Deichstraße 1', '20459 Hamburg'],
    email: 'post@nord.example',
  })
  const wrong = { PUBLIC_URL: 'https://store.test', ...services, COMPANY_EMAIL: 'no address' }
  expect(() => readConfig(wrong)).toThrow('COMPANY_EMAIL')
})
