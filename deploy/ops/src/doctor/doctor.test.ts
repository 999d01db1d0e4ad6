import { mkdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SignerStatus } from '@nifty/api/minting/ops'
import { processorEvents } from '@nifty/api/payments/processor-events'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'
import { checkBackup } from './backup.ts'
import { checkContracts, checkNode, checkSigners, type Node } from './chain.ts'
import { type Outcome, ok, runChecks } from './check.ts'
import { checkDkim, checkMailServer, checkSpf } from './mail.ts'
import { checkEndpoints, checkKey, checkLastWebhook, checkProcessorHost, checkWebhook } from './processor.ts'
import { checkAlarms, checkReconciliation, checkSellers } from './sales.ts'
import { folders, webhookSignature } from './servers.ts'
import { readDoctorSettings } from './settings.ts'
import { checkClock, checkProxies, checkPublicUrl } from './site.ts'

const NOW = Date.parse('2026-11-26T12:00:00Z')
const publicUrl = 'https://lumen.test'

/** A `fetch` with this response, also where it depends on the request. */
const responding = (respond: (url: string, init: RequestInit) => Response) =>
  (async (url: string | URL | Request, init: RequestInit = {}) => respond(String(url), init)) as typeof fetch
const refusing = (async () => {
  throw new TypeError('fetch failed', { cause: new Error('certificate has expired') })
}) as unknown as typeof fetch

async function expectStates(cases: [Promise<Outcome> | Outcome, Outcome['state'], string][]) {
  for (const [outcome, state, text] of cases)
    expect(await outcome, text).toEqual({ state, text: expect.stringContaining(text) })
}

test('a check that throws is missing, with its cause, and the others are shown', async () => {
  const results = await runChecks({
    broken: () => checkPublicUrl({ publicUrl, chainId: 137, company: 'Lumen' }, refusing),
    whole: () => ok('as it should be'),
  })
  expect(results).toEqual([
    { check: 'broken', state: 'missing', text: 'fetch failed: certificate has expired' },
    { check: 'whole', state: 'ok', text: 'as it should be' },
  ])
})

test('the public address is https and leads to a store with these settings', async () => {
  const expected = { publicUrl, chainId: 137, company: 'Lumen' }
  const store = (chainId: number, name: string) =>
    responding(() => Response.json({ chainId, company: { name } }, { status: 200 }))
  await expectStates([
    [checkPublicUrl(expected, store(137, 'Lumen')), 'ok', 'leads to this store'],
    [checkPublicUrl(expected, store(31337, 'Lumen')), 'missing', 'another store'],
    [checkPublicUrl(expected, store(137, 'Nifty')), 'missing', 'another store'],
    [
      checkPublicUrl(
        expected,
        responding(() => new Response('<html>', { status: 502 })),
      ),
      'missing',
      'is no store',
    ],
    [checkPublicUrl({ ...expected, publicUrl: 'http://lumen.test' }, store(137, 'Lumen')), 'missing', 'TLS'],
  ])
})

test('two forwarded addresses are two clients', async () => {
  const settings = { publicUrl, trustedProxies: '127.0.0.1', gatewayUrl: 'http://127.0.0.1:8080', rateLimitFactor: 2 }
  /** A gateway that counts 20 requests, by the key of a forwarded address. */
  const counting = (keyOf: (address: string) => string) => {
    const counts = new Map<string, number>()
    return responding((_url, { headers }) => {
      const key = keyOf((headers as Record<string, string>)['x-forwarded-for']!)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      return new Response('', { status: counts.get(key)! > 20 ? 429 : 400 })
    })
  }
  const unset = { ...settings, trustedProxies: undefined }
  await expectStates([
    [
      checkProxies(
        settings,
        counting((address) => address),
      ),
      'ok',
      'two clients',
    ],
    [
      checkProxies(
        settings,
        counting(() => 'the proxy'),
      ),
      'missing',
      'one client',
    ],
    [
      checkProxies(
        settings,
        responding(() => new Response('', { status: 404 })),
      ),
      'missing',
      'counts no requests',
    ],
    [checkProxies(unset, refusing), 'missing', 'TRUSTED_PROXIES is not set'],
    [checkProxies({ ...unset, publicUrl: 'http://a.test' }, refusing), 'note', 'not set'],
  ])
})

test('the clock is at most a minute from that of the processor', async () => {
  const at = (time: string) => responding(() => new Response(null, { headers: { date: time } }))
  const check = (get: typeof fetch) => checkClock('https://processor.test', get, () => NOW)
  await expectStates([
    [check(at('Thu, 26 Nov 2026 12:00:20 GMT')), 'ok', '20 s'],
    [check(at('Thu, 26 Nov 2026 11:57:00 GMT')), 'missing', '180 s ahead of processor.test'],
    [check(at('Thu, 26 Nov 2026 12:03:00 GMT')), 'missing', '180 s behind'],
    [check(responding(() => new Response(null))), 'note', 'no time'],
  ])
})

test('the key is live and goes to the processor', async () => {
  await expectStates([
    [checkKey('rk_live_1'), 'ok', 'live'],
    [checkKey('sk_test_1'), 'note', 'test key'],
    [checkKey(undefined), 'missing', 'STRIPE_SECRET_KEY'],
    [checkKey(' sk_live_1'), 'missing', 'no secret or restricted key'],
    [checkProcessorHost('sk_live_1', undefined), 'ok', 'api.stripe.com'],
    [checkProcessorHost('sk_live_1', 'http://sandbox:4242'), 'note', 'a live key goes to http://sandbox:4242'],
    [checkProcessorHost('sk_test_1', 'http://sandbox:4242'), 'note', 'payments go to'],
  ])
})

test('the webhook takes an event with each secret, and none without a signature', async () => {
  const sign = (_payload: string, secret: string) => `signed with ${secret}`
  const post = (known: string[], unsigned = 400) =>
    responding((_url, { headers }) => {
      const signature = (headers as Record<string, string>)['stripe-signature']
      const status = signature ? (known.some((secret) => signature.endsWith(secret)) ? 200 : 400) : unsigned
      return new Response('', { status })
    })
  const check = (get: typeof fetch) =>
    checkWebhook({ publicUrl, secrets: ['whsec_old', 'whsec_new'], livemode: true, nowMs: NOW }, get, sign)
  await expectStates([
    [check(post(['whsec_old', 'whsec_new'])), 'ok', 'signed events only'],
    [check(post(['whsec_old'])), 'missing', 'secret 2'],
    [check(post(['whsec_old', 'whsec_new'], 200)), 'missing', 'without a signature'],
    [check(responding(() => new Response('', { status: 404 }))), 'missing', '404'],
  ])
})

test('an address that only leads to another one is not the store’s, as for the processor', async () => {
  // `fetch` follows redirects by default.
  const get = responding((_url, { redirect }) =>
    redirect === 'manual'
      ? new Response(null, { status: 308 })
      : Response.json({ chainId: 137, company: { name: 'Lumen' } }),
  )
  const settings = { secrets: ['whsec_1'], livemode: true, nowMs: NOW }
  await expectStates([
    [checkWebhook({ publicUrl, ...settings }, get, webhookSignature), 'missing', '(308)'],
    [checkPublicUrl({ publicUrl, chainId: 137, company: 'Lumen' }, get), 'missing', '308'],
  ])
})

test('secrets of a rotation may have a space after the comma', () => {
  const env = { STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_2 ,' }
  expect(readDoctorSettings(env).webhookSecrets).toEqual(['whsec_1', 'whsec_2'])
})

test("the processor's list has this store's endpoint with all events", async () => {
  const own = { url: `${publicUrl}/api/payments/webhook`, status: 'enabled', enabled_events: [...processorEvents] }
  const check = (...endpoints: (typeof own)[]) =>
    checkEndpoints(publicUrl, { list: async () => endpoints, mayAsk: true })
  const refusedWith = (error: Error) => checkEndpoints(publicUrl, { list: () => Promise.reject(error), mayAsk: true })
  const [first, ...others] = processorEvents
  const forbidden = Object.assign(new Error('no right'), { statusCode: 403 })
  await expectStates([
    [check(own), 'ok', 'all events'],
    [check({ ...own, enabled_events: ['*' as never] }), 'ok', 'all events'],
    [check({ ...own, enabled_events: others }), 'missing', `does not get ${first}`],
    [check({ ...own, url: 'https://other.test/api/payments/webhook' }), 'missing', 'no webhook endpoint'],
    [check({ ...own, status: 'disabled' }), 'missing', 'disabled'],
    [refusedWith(forbidden), 'note', 'may not read'],
  ])
  await expect(refusedWith(new Error('no response'))).rejects.toThrow('no response')
  let isSent = false
  const list = async () => {
    isSent = true
    return [own]
  }
  await expectStates([[checkEndpoints(publicUrl, { list, mayAsk: false }), 'missing', 'was not sent']])
  expect(isSent).toBe(false)
})

test('a webhook has arrived', async () => {
  await expectStates([
    [checkLastWebhook('2026-11-26T12:00:00Z'), 'ok', 'arrived at 2026-11-26T12:00:00Z'],
    [checkLastWebhook(null), 'note', 'test sale'],
  ])
})

const node: Node = {
  chainId: async () => 137,
  finalizedAt: async () => NOW / 1_000 - 8,
  hasCode: async () => true,
  collection: async () => ({ name: 'Galerie Lumen', symbol: 'LUMEN' }),
}

test('the node serves the chain and knows what is final', async () => {
  const check = (change: Partial<Node>) => checkNode({ ...node, ...change }, 137, NOW)
  await expectStates([
    [check({}), 'ok', '8 s old'],
    [check({ chainId: async () => 1 }), 'missing', 'serves chain 1'],
    [check({ finalizedAt: async () => null }), 'missing', 'finalized'],
    [check({ finalizedAt: async () => NOW / 1_000 - 700 }), 'missing', '700 s old'],
  ])
})

test('the contracts have code, and their name is shown', async () => {
  const addresses = { CHAIN_COLLECTION: '0xc', CHAIN_DELIVERY: '0xd' }
  await expectStates([
    [checkContracts(node, addresses), 'ok', 'Galerie Lumen (LUMEN)'],
    [
      checkContracts({ ...node, hasCode: async (address) => address === '0xc' }, addresses),
      'missing',
      'CHAIN_DELIVERY',
    ],
    [checkContracts(node, { ...addresses, CHAIN_COLLECTION: undefined }), 'missing', 'not set'],
  ])
})

const signer: SignerStatus = {
  address: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  state: 'active',
  keyConfigured: true,
  roles: { collection: true, delivery: true },
  haltedReason: null,
  haltedAt: null,
  nextNonce: 1,
  chainNonce: 1,
  nonceGap: 0,
  openTransactions: 0,
  oldestOpen: null,
  balance: { wei: '1', deliveriesLeft: 5_000, hoursLeft: 500 },
}

test('every active signer has the roles and gas for a day', async () => {
  const check = (change: Partial<SignerStatus>) => checkSigners([{ ...signer, ...change }], 200)
  await expectStates([
    [check({}), 'ok', '25 hours'],
    [check({ balance: { wei: '1', deliveriesLeft: 4_700, hoursLeft: 470 } }), 'missing', '23 hours'],
    [check({ balance: null }), 'missing', 'unknown'],
    [check({ roles: { collection: true, delivery: false } }), 'missing', 'do not accept'],
    [check({ haltedReason: 'nonce used' }), 'missing', 'halted: nonce used'],
    [check({ keyConfigured: false }), 'missing', 'no signer'],
  ])
})

test('the mail server accepts the log-in', async () => {
  await expectStates([
    [checkMailServer('smtps://user:password@mail.test', async () => true), 'ok', 'mail.test'],
    [checkMailServer(undefined, async () => true), 'missing', 'SMTP_URL'],
  ])
  const refused = checkMailServer('smtps://mail.test', () => Promise.reject(new Error('535 Authentication failed')))
  await expect(refused).rejects.toThrow('535')
})

test('SPF and DKIM records exist where a DNS server responds', async () => {
  const dns = (records: Record<string, string[][]>) => async (name: string) => {
    if (!records[name]) throw Object.assign(new Error('queryTxt'), { code: 'ENOTFOUND' })
    return records[name]
  }
  const silent = async () => {
    throw Object.assign(new Error('queryTxt'), { code: 'ECONNREFUSED' })
  }
  const complete = dns({
    'lumen.test': [['google-site=1'], ['v=spf1 include:', 'mail.test -all']],
    's1._domainkey.lumen.test': [['v=DKIM1; p=MII']],
  })
  const dkim = (record: string) => dns({ 's1._domainkey.lumen.test': [[record]] })
  await expectStates([
    [checkSpf('lumen.test', complete), 'ok', 'v=spf1 include:mail.test'],
    [checkSpf('lumen.test', dns({ 'lumen.test': [['google-site=1']] })), 'missing', 'no SPF'],
    [checkSpf('lumen.test', dns({})), 'missing', 'no SPF'],
    [checkSpf('lumen.test', dns({ 'lumen.test': [['v=spf1 a -all'], ['v=spf1 mx -all']] })), 'missing', '2 SPF'],
    [checkSpf('lumen.test', dns({ 'lumen.test': [['v=spf1 -all']] })), 'missing', 'no server'],
    [checkSpf('lumen.test', dns({ 'lumen.test': [['v=spf10 mx']] })), 'missing', 'no SPF'],
    [checkSpf('lumen.test', silent), 'note', 'no DNS server'],
    [checkDkim('lumen.test', 's1', complete), 'ok', 'has a key'],
    [checkDkim('lumen.test', 's2', complete), 'missing', 'no DKIM'],
    [checkDkim('lumen.test', 's1', dkim('k=rsa; p=MII')), 'ok', 'has a key'],
    [checkDkim('lumen.test', 's1', dkim('v=DKIM1; k=rsa; p=')), 'missing', 'no DKIM'],
    [checkDkim('lumen.test', 's1', dkim('v=DKIM2; p=MII')), 'missing', 'no DKIM'],
    [checkDkim('lumen.test', undefined, complete), 'note', 'DKIM_SELECTOR'],
    [checkDkim('lumen.test', 's1', silent), 'note', 'no DNS server'],
  ])
})

test('a backup of the last night lies on another device', async () => {
  const hoursAgo = (hours: number | null, devices: Record<string, number>) => ({
    newest: async () => (hours === null ? null : NOW - hours * 3_600_000),
    device: async (folder: string) => devices[folder]!,
  })
  const apart = { '/backups': 1, '/data': 2 }
  const check = (folders: ReturnType<typeof hoursAgo>, backups: string | undefined = '/backups') =>
    checkBackup({ backups, data: '/data' }, folders, NOW)
  await expectStates([
    [check(hoursAgo(9, apart)), 'ok', '9 hours ago'],
    [check(hoursAgo(30, apart)), 'missing', '30 hours old'],
    [check(hoursAgo(null, apart)), 'missing', 'has no backup'],
    [check(hoursAgo(9, { '/backups': 2, '/data': 2 })), 'missing', 'same device'],
    [checkBackup({ backups: undefined, data: '/data' }, hoursAgo(9, apart), NOW), 'missing', 'BACKUP_DIR'],
  ])
})

test('a folder has a backup where something in it has content', async () => {
  const folder = await temporaryFolder('backups')
  expect(await folders.newest(folder)).toBeNull()
  await Promise.all(['lost+found', '2026-11-25', '.mounted', 'x.unfinished'].map((name) => mkdir(join(folder, name))))
  await writeFile(join(folder, 'postgres.tar'), '')
  await writeFile(join(folder, 'lost+found/a'), 'a')
  await writeFile(join(folder, 'x.unfinished/a'), 'a')
  expect(await folders.newest(folder)).toBeNull()

  await writeFile(join(folder, '2026-11-25/base.tar.gz'), 'a')
  await utimes(join(folder, '2026-11-25'), NOW / 1_000, NOW / 1_000)
  expect(await folders.newest(folder)).toBe(NOW)
  await writeFile(join(folder, 'postgres.tar'), 'a')
  expect(await folders.newest(folder)).toBeGreaterThan(0)
  expect(await folders.device(folder)).toBe((await stat(folder)).dev)
  expect(await folders.newest('/no/such/folder')).toBeNull()
})

test('sellers, reconciliation and alarms', async () => {
  const metrics = (balanced: number, age: number) =>
    `# HELP x\nnifty_reconcile_balanced ${balanced}\nnifty_reconcile_age_seconds ${age}\nnifty_alarms_last_day{name="capture_failed"} 0\n`
  await expectStates([
    [checkSellers(2), 'ok', '2 may'],
    [checkSellers(0), 'note', 'grant-admin'],
    [checkReconciliation(metrics(1, 7_300)), 'ok', '2 hours ago'],
    [checkReconciliation(metrics(0, 10)), 'missing', 'differ'],
    [checkReconciliation(metrics(1, 120_000)), 'missing', '33 hours ago'],
    [checkReconciliation('nifty_reconcile_age_seconds 7300'), 'note', 'not run yet'],
    [checkReconciliation('nifty_reconcile_age_seconds 120000'), 'missing', 'nothing was compared'],
    [checkReconciliation(''), 'missing', 'no metrics'],
    [checkReconciliation(undefined), 'missing', 'no metrics'],
    [checkAlarms(metrics(1, 1)), 'ok', 'none'],
    [checkAlarms('nifty_alarms_last_day{name="capture_failed"} 2'), 'missing', 'capture_failed'],
    [checkAlarms('nifty_reconcile_balanced 1'), 'missing', 'no metrics'],
    [checkAlarms(undefined), 'missing', 'no metrics'],
  ])
})
