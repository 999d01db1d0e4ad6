import { Wallet } from 'ethers'
import { afterAll, expect, test } from 'vitest'
import { givenMember, person, startTestAuth } from '../testing/auth.ts'

const name = '<b>Lumen & Söhne</b>: "Art"'
const shop = await startTestAuth({ env: { STORE_NAME: name, PUBLIC_URL: 'https://lumen.example' } }, afterAll)

test('authenticator apps and password managers show the name of the store', async () => {
  const { token, stepUp, username } = await givenMember(shop)
  const { body } = await shop.call('POST', '/api/auth/second-factor', { token, stepUp })
  const uri = new URL(body.uri)
  // A colon stands between issuer and account.
  const issuer = name.replace(':', '')
  expect(uri.searchParams.get('issuer')).toBe(issuer)
  expect(uri.pathname).toBe(`/${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`)
  const passkey = await shop.call('POST', '/api/auth/passkeys/options', { token, stepUp })
  expect(passkey.body.options.rp).toEqual({ id: 'lumen.example', name })
})

test('the text that a wallet signs keeps to EIP-4361, with the host where the name has other characters', async () => {
  const { token, username } = await givenMember(shop)
  const body = { address: Wallet.createRandom().address }
  const lines = (await shop.call('POST', '/api/wallet/challenge', { body, token })).body.message.split('\n')
  expect(lines[3]).toBe(
    `Link this wallet to the account ${username} at lumen.example. This costs nothing and moves nothing.`,
  )
  expect(lines.join('')).not.toMatch(/nifty|<b>/i)
})

test('nobody bears the name of this store, and Nifty is a name as any other', async () => {
  const signUp = async (changes: object) =>
    (await shop.call('POST', '/api/auth/signup', { body: person(changes) })).body
  expect(await signUp({ username: 'b.lumen.sohne.b.art' })).toMatchObject({ code: 'username_unavailable' })
  expect(await signUp({ firstName: 'B Lümen Söhne', lastName: 'B Art' })).toMatchObject({ code: 'invalid_name' })
  expect(await signUp({ username: 'nifty_ada', firstName: 'Nifty' })).toMatchObject({ success: true })
})
