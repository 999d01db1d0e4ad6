import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { type HDNodeWallet, Wallet } from 'ethers'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { givenMember, type Member, publishedEvents, startTestAuth } from '../testing/auth.ts'
import { linkWallet } from './wallet.actions.ts'

const own = Wallet.createRandom().address
const env = { WALLET_DENY_LIST: own, PUBLIC_URL: 'https://nifty.example', CHAIN_ID: '137' }
const auth = await startTestAuth({ env }, afterAll)
const elsewhere = { status: 400, body: { message: 'MetaMask address is already linked to another account' } }
const unproven = { status: 400, body: { code: 'invalid_signature' } }

const connect = ({ id, token, stepUp }: Member, metamaskAddress: unknown, proof: object = {}) =>
  auth.call('POST', '/api/wallet/connect-metamask', { body: { userId: id, metamaskAddress, ...proof }, token, stepUp })
const challenge = async ({ token }: Member, address: string) =>
  (await auth.call('POST', '/api/wallet/challenge', { body: { address }, token })).body
async function prove(member: Member, wallet: HDNodeWallet) {
  const { message } = await challenge(member, wallet.address)
  return { message, signature: await wallet.signMessage(message) }
}
const connectProven = async (member: Member, wallet: HDNodeWallet) =>
  connect(member, wallet.address, await prove(member, wallet))
const me = async ({ token }: Member) => (await auth.call('GET', '/api/auth/user', { token })).body.user
const notices = (member: Member) => publishedEvents(auth.db, 'security-notice-requested', member.id)

test('linking without a signature stores the checksummed address as unproven, publishes it, and notifies the owner', async () => {
  const ada = await givenMember(auth)
  const { address } = Wallet.createRandom()

  expect((await connect(ada, address.toLowerCase())).body).toEqual({
    success: true,
    message: 'MetaMask connected successfully!',
  })

  expect(await me(ada)).toMatchObject({ metamaskAddress: address, walletProven: false })
  const changed = (await publishedEvents(auth.db, 'account-changed', ada.id)).at(-1)
  expect(changed).toMatchObject({ wallet: address, walletProven: false })
  expect(await notices(ada)).toMatchObject([{ what: 'wallet_changed', email: ada.email }])
  expect((await auth.call('GET', `/api/users/profile/${ada.username}`)).body).not.toHaveProperty('metamaskAddress')
})

test('the profile form cannot change the wallet', async () => {
  const ada = await givenMember(auth)
  const body = { metamaskAddress: Wallet.createRandom().address, wallet: own, walletProven: true }
  await auth.call('PUT', `/api/users/${ada.id}`, { body, token: ada.token })
  expect(await me(ada)).toMatchObject({ metamaskAddress: null, walletProven: false })
})

const wrongChecksum = '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
test.each([
  ['too short', `0x${'1a'.repeat(19)}`],
  ['too long', `0x${'1a'.repeat(21)}`],
  ['without 0x', '1a'.repeat(20)],
  ['with 0X', `0X${'1a'.repeat(20)}`],
  ['not hexadecimal', `0x${'1g'.repeat(20)}`],
  ['with a wrong checksum', wrongChecksum],
  ['zero', `0x${'0'.repeat(40)}`],
  ['the burn address', '0x000000000000000000000000000000000000dEaD'],
  ['a precompiled contract', `0x${'0'.repeat(39)}1`],
  ["the store's own", own],
  ["the store's own in lower case", own.toLowerCase()],
  ['an ENS name', 'vitalik.eth'],
  ['empty', ''],
  ['in ICAP form', 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS'],
])('an address that is %s is refused', async (_, address) => {
  const ada = await givenMember(auth)
  expect(await connect(ada, address)).toMatchObject({ status: 400, body: { message: 'Invalid wallet address' } })
  const challenged = await auth.call('POST', '/api/wallet/challenge', { body: { address }, token: ada.token })
  expect(challenged.status).toBe(400)
  expect((await me(ada)).metamaskAddress).toBeNull()
})

test.each([[null], [5], [[own]], [{ address: own }], [undefined]])('%j is refused as an address', async (address) => {
  expect((await connect(await givenMember(auth), address)).status).toBe(400)
})

test('a wallet can be linked to one account only, in any spelling of the address', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const { address } = Wallet.createRandom()
  await connect(ada, address)
  expect(await connect(eve, address)).toMatchObject(elsewhere)
  expect(await connect(eve, address.toLowerCase())).toMatchObject(elsewhere)
})

test('of two accounts that link one address concurrently, the second is refused', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const { address } = Wallet.createRandom()
  const first = await auth.db.startTransaction().execute()
  await linkWallet(first, {
    userId: ada.id,
    address,
    signed: undefined,
    mailTokenKeys: auth.config.mailTokenKeys,
  })

  const second = connect(eve, address)
  await waitForBlockedQuery(auth.db)
  await first.commit().execute()

  expect(await second).toMatchObject(elsewhere)
})

test('the text to sign contains store, address, account, chain, and an expiry of five minutes', async () => {
  const ada = await givenMember(auth)
  const { address } = Wallet.createRandom()
  const { message, expiresAt } = await challenge(ada, address.toLowerCase())

  const [first, second, , statement, , ...fields] = message.split('\n')
  expect(first).toBe('nifty.example wants you to sign in with your Ethereum account:')
  expect(second).toBe(address)
  expect(statement).toContain(ada.username)
  const values = Object.fromEntries(fields.map((line: string) => line.split(/: (.*)/)))
  expect(values).toMatchObject({
    URI: 'https://nifty.example',
    Version: '1',
    'Chain ID': '137',
    'Expiration Time': expiresAt,
  })
  expect(values.Nonce).toMatch(/^[0-9a-f]{32}$/)
  expect(Date.parse(expiresAt) - Date.parse(values['Issued At'])).toBe(300_000)
})

test('a signature proves the wallet and takes it from an account that linked it without one', async () => {
  const [eve, ada, bob] = [await givenMember(auth), await givenMember(auth), await givenMember(auth)]
  const wallet = Wallet.createRandom()
  await connect(eve, wallet.address)

  expect((await connectProven(ada, wallet)).status).toBe(200)

  expect(await me(ada)).toMatchObject({ metamaskAddress: wallet.address, walletProven: true })
  expect(await me(eve)).toMatchObject({ metamaskAddress: null, walletProven: false })
  expect((await publishedEvents(auth.db, 'account-changed', eve.id)).at(-1)).toMatchObject({ wallet: null })
  expect(await notices(eve)).toHaveLength(2)
  expect(await connect(bob, wallet.address)).toMatchObject(elsewhere)
  expect(await connectProven(bob, wallet)).toMatchObject(elsewhere)
})

test('a proven wallet that is linked again without a signature stays proven', async () => {
  const ada = await givenMember(auth)
  const wallet = Wallet.createRandom()
  await connect(ada, wallet.address)
  await connectProven(ada, wallet)
  expect((await connect(ada, wallet.address)).status).toBe(200)
  expect(await me(ada)).toMatchObject({ walletProven: true })
  expect(await notices(ada)).toHaveLength(1)
})

test('a signature is accepted once, for its account, address and text, within five minutes', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const [wallet, other] = [Wallet.createRandom(), Wallet.createRandom()]
  const proof = await prove(ada, wallet)

  expect(await connect(eve, wallet.address, proof)).toMatchObject(unproven)
  expect(await connect(ada, other.address, proof)).toMatchObject(unproven)
  expect(
    await connect(ada, wallet.address, { ...proof, signature: await other.signMessage(proof.message) }),
  ).toMatchObject(unproven)
  expect(await connect(ada, wallet.address, { ...proof, signature: '0x12' })).toMatchObject(unproven)
  expect(await connect(ada, wallet.address, { message: proof.message })).toMatchObject(unproven)
  const message = proof.message.replace('nifty.example', 'evil.example')
  expect(await connect(ada, wallet.address, { message, signature: await wallet.signMessage(message) })).toMatchObject(
    unproven,
  )

  expect((await connect(ada, wallet.address, proof)).status).toBe(200)
  expect(await connect(ada, wallet.address, proof)).toMatchObject(unproven)

  const late = await prove(ada, other)
  await sql`update wallet_challenge set expires_at = now() where account_id = ${ada.id}`.execute(auth.db)
  expect(await connect(ada, other.address, late)).toMatchObject(unproven)
})

test('changing the wallet makes the previous one available, and the response names the target of open orders', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const [former, next] = [Wallet.createRandom().address, Wallet.createRandom().address]
  await connect(ada, former)
  expect((await connect(ada, next)).body.message).toContain('Orders that are already placed')
  expect((await connect(eve, former)).status).toBe(200)
})

test('with WALLET_PROOF_REQUIRED linking without a signature is refused', async () => {
  const strict = await startTestAuth({ walletProofRequired: true })
  const ada = await givenMember(strict)
  const body = { userId: ada.id, metamaskAddress: Wallet.createRandom().address }
  const answer = await strict.call('POST', '/api/wallet/connect-metamask', { ...ada, body })
  expect(answer).toMatchObject({ status: 400, body: { code: 'signature_required' } })
})
