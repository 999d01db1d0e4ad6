import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { inventedCompany } from './env.ts'
import {
  isAtForeignProcessor,
  isForeignProcessor,
  isLiveKey,
  ProcessorKey,
  refuseIncompletePayments,
  refuseIncompleteStore,
} from './live-key.ts'

const complete: NodeJS.ProcessEnv = {
  STRIPE_SECRET_KEY: 'sk_live_0',
  STRIPE_WEBHOOK_SECRET: 'whsec_0',
  PUBLIC_URL: 'https://gallery.test',
  TRUSTED_PROXIES: '127.0.0.1',
  POSTGRES_URL: 'postgres://127.0.0.1/postgres',
  CHAIN_RPC_URL: 'https://node.test',
  CHAIN_ID: '137',
  CHAIN_SIGNER_KEY: `0x${'7'.repeat(64)}`,
  CHAIN_COLLECTION: `0x${'c'.repeat(40)}`,
  CHAIN_DELIVERY: `0x${'d'.repeat(40)}`,
  AUTH_SIGNING_KEY: 'a key',
  INTERNAL_SECRET: 'a secret of the operator',
  MAIL_TOKEN_KEY: 'a secret of the operator',
  SECOND_FACTOR_KEY: 'a secret of the operator',
  SMTP_URL: 'smtps://mail.test',
  MAIL_FROM: 'Gallery <hello@gallery.test>',
  OPERATOR_EMAIL: 'office@gallery.test',
  COMPANY_NAME: 'Gallery Ltd',
  COMPANY_NUMBER: '12',
  COMPANY_REGISTER: 'Registered in England and Wales',
  COMPANY_ADDRESS: '2 Gallery Walk; London',
  COMPANY_EMAIL: 'hello@gallery.test',
}

/** The names at the beginning of the lines of a refusal; undefined: accepted. */
function refused(env: NodeJS.ProcessEnv, refuse: (env: NodeJS.ProcessEnv) => void = refuseIncompleteStore) {
  try {
    refuse(env)
  } catch (error) {
    const [, ...lines] = (error as Error).message.split('\n')
    return lines.map((line) => line.trim().split(' ')[0])
  }
}

test.each([
  ['sk_live_1', true],
  ['rk_live_1', true],
  ['sk_test_1', false],
  ['rk_test_1', false],
  [undefined, false],
])('%s is a live key: %s', (key, expected) => {
  expect(isLiveKey(key)).toBe(expected)
})

test.each([
  ' sk_live_1',
  'sk_live_1\n',
  'sk_live_',
  'sk_live_1 2',
  '"sk_live_1"',
  'SK_LIVE_1',
  'sk_org_live_1',
  'pk_live_1',
  'key',
])('the key %j has no mode that is known, and is refused', (key) => {
  expect(Value.Check(ProcessorKey, key)).toBe(false)
})

test('a live key alone is refused with everything that it needs; a test key needs nothing', () => {
  const { STRIPE_SECRET_KEY, ...rest } = complete
  expect(refused({ STRIPE_SECRET_KEY })?.toSorted()).toEqual(Object.keys(rest).toSorted())
  expect(refused({ STRIPE_SECRET_KEY: 'sk_test_1' })).toBeUndefined()
  expect(refused(complete)).toBeUndefined()
})

test.each(Object.keys(complete).filter((name) => name !== 'STRIPE_SECRET_KEY'))(
  'without %s that alone is named',
  (name) => {
    expect(refused({ ...complete, [name]: '' })).toEqual([name])
  },
)

test.each([
  { PUBLIC_URL: 'http://gallery.test' },
  { PUBLIC_URL: 'https://gallery.example' },
  { PUBLIC_URL: 'https://Shop.Example.com:8443' },
  { POSTGRES_URL: ' ' },
  { CHAIN_ID: '31337' },
  { CHAIN_ID: '031337' },
  { CHAIN_ID: '1337.0' },
  { CHAIN_ID: '80002' },
  { CHAIN_SIGNER_KEY: '0xAC0974BEC39A17E36BA4A6B4D238FF944BACB478CBED5EFCAE784D7BF4F2FF80' },
  // The last of 20 accounts, after one that is not published.
  { CHAIN_SIGNER_KEY: `0x${'7'.repeat(64)},0xdf57089febbacf7ba0bc227dafbffa9fc08a93fdc68e1e42411a14efcf23656e` },
  { SECOND_FACTOR_KEY: 'for-development-only-0123456789ab' },
  { MAIL_FROM: 'Nifty <hello@nifty.example>' },
  { MAIL_FROM: 'hello@Gallery.Example' },
  { OPERATOR_EMAIL: 'operator@store.example' },
  { COMPANY_EMAIL: 'hello@gallery.example' },
  { COMPANY_NAME: inventedCompany.name },
  { COMPANY_NUMBER: inventedCompany.number },
  { COMPANY_ADDRESS: inventedCompany.address },
  { COMPANY_EMAIL: inventedCompany.email },
  { STRIPE_API_URL: 'http://127.0.0.1:4242' },
])('what is made for development is refused: %j', (change) => {
  expect(refused({ ...complete, ...change })).toEqual(Object.keys(change))
})

test('a gateway that ends TLS itself needs no proxy', () => {
  expect(refused({ ...complete, TRUSTED_PROXIES: '', TLS_CERT_FILE: '/tls/tls.crt' })).toBeUndefined()
})

test.each([
  ['https://api.stripe.com', false],
  ['https://api.stripe.com/', false],
  ['http://api.stripe.com', true],
  ['https://api.stripe.com.other.test', true],
  ['https://api.stripe.com@other.test', true],
  ['not a URL', true],
  [undefined, false],
])('%s is a foreign processor: %s', (url, foreign) => {
  expect(isForeignProcessor(url)).toBe(foreign)
  const env = { ...complete, STRIPE_API_URL: url }
  expect(refused(env)).toEqual(foreign ? ['STRIPE_API_URL'] : undefined)
  expect(refused({ ...env, ALLOW_FOREIGN_PROCESSOR: 'true' })).toBeUndefined()
})

test('a live key is at a foreign processor until that is allowed, a test key never', () => {
  const env = { STRIPE_SECRET_KEY: 'rk_live_1', STRIPE_API_URL: 'https://processor.test' }
  expect(isAtForeignProcessor(env)).toBe(true)
  expect(isAtForeignProcessor({ ...env, ALLOW_FOREIGN_PROCESSOR: 'true' })).toBe(false)
  expect(isAtForeignProcessor({ ...env, STRIPE_SECRET_KEY: 'rk_test_1' })).toBe(false)
  expect(isAtForeignProcessor({ ...env, STRIPE_API_URL: undefined })).toBe(false)
})

test('payments alone refuses what it sees itself', () => {
  const own = { STRIPE_SECRET_KEY: 'rk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_0', PUBLIC_URL: 'https://gallery.test' }
  expect(refused(own, refuseIncompletePayments)).toBeUndefined()
  const wrong = { ...own, PUBLIC_URL: 'http://gallery.test', STRIPE_API_URL: 'http://processor:4242' }
  expect(refused(wrong, refuseIncompletePayments)).toEqual(['PUBLIC_URL', 'STRIPE_API_URL'])
})
