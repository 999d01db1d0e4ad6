import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { givenMember, newKey, startTestAuth } from '../testing/auth.ts'
import { createSigningKeys } from './session.keys.ts'

const required = {
  AUTH_SIGNING_KEY: newKey(),
  MAIL_TOKEN_KEY: 'a key of at least 32 characters of a test',
  SECOND_FACTOR_KEY: 'a key of at least 32 characters of a test',
  UPLOADS_DIR: '/tmp',
}
const publicPem = (key: string) => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()

test('key rotation ends no session: tokens of the previous key are accepted until it is removed', async () => {
  const [former, next] = [newKey(), newKey()]
  const auth = await startTestAuth({ signingKey: former })
  const ada = await givenMember(auth)
  const whoAmI = (service: Pick<typeof auth.service, 'app'>) =>
    service.app.inject({ url: '/api/auth/user', headers: { authorization: `Bearer ${ada.token}` } })

  const { acceptedKey } = readConfig({ ...required, AUTH_ACCEPTED_KEY: publicPem(former).replaceAll('\n', '\\n') })
  const exchanged = await auth.start({ signingKey: next, acceptedKey })
  const finished = await auth.start({ signingKey: next })

  expect((await whoAmI(exchanged)).statusCode).toBe(200)
  expect((await whoAmI(finished)).statusCode).toBe(401)
  await exchanged.stop()
  await finished.stop()
})

test('every accepted key is published once', () => {
  const [former, next] = [newKey(), newKey()]
  const { keys } = createSigningKeys({ signingKey: next, acceptedKey: former })
  expect(keys.map(({ publicKey }) => publicKey)).toEqual([publicPem(next), publicPem(former)])
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(2)
  expect(createSigningKeys({ signingKey: next, acceptedKey: next }).keys).toHaveLength(1)
})

test('a key that is not Ed25519 is refused at the start', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  expect(() => createSigningKeys({ signingKey, acceptedKey: undefined })).toThrow()
})

test('a key with line breaks written as \\n is accepted', () => {
  const key = newKey()
  const { signingKey } = readConfig({ ...required, AUTH_SIGNING_KEY: key.replaceAll('\n', '\\n') })
  expect(signingKey).toBe(key)
})

test('the error names every missing setting', () => {
  expect(() => readConfig({})).toThrow(/AUTH_SIGNING_KEY[\s\S]*MAIL_TOKEN_KEY|MAIL_TOKEN_KEY[\s\S]*AUTH_SIGNING_KEY/)
})
