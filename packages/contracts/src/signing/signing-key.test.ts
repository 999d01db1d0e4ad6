import { computeAddress, id, N, recoverAddress } from 'ethers'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { awsKmsAddress, awsKmsKey } from './aws-kms-key.ts'
import { awsKmsSetting, keysOfSetting, SIGNING_KEYS, signingKeyOf } from './key-setting.ts'
import { localKey } from './local-key.ts'
import { addressOfPublicKey, readDer } from './recoverable-signature.ts'
import type { SigningKey } from './signing-key.ts'
import { startKmsServer } from './testing/kms-server.ts'

const privateKey = `0x${'7'.repeat(64)}`
const address = computeAddress(privateKey)
const digests = Array.from({ length: 20 }, (_, index) => id(`transaction ${index}`))

/** `CONFORMANCE_KMS_KEY`: a key of a real service, with the SDK's own variables; its address is read from there. */
const { CONFORMANCE_KMS_KEY: realKey } = process.env

async function givenKms() {
  const kms = await startKmsServer({ 'alias/signer': privateKey, 'alias/other': `0x${'8'.repeat(64)}` })
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', kms.url)
  onTestFinished(kms.stop)
  return kms
}

beforeEach(() => {
  if (!realKey) {
    vi.stubEnv('AWS_REGION', 'eu-central-1')
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'of-a-test')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'of-a-test')
  }
  return () => vi.unstubAllEnvs()
})

/** What every key has to do. */
const adapters: Record<string, () => Promise<{ key: SigningKey; expected: string }>> = {
  'in this process': async () => ({ key: localKey(privateKey), expected: address }),
  'of AWS KMS': async () => {
    await givenKms()
    return {
      key: awsKmsKey({ address: await awsKmsAddress('alias/signer'), keyId: 'alias/signer' }),
      expected: address,
    }
  },
  'of AWS KMS with high s': async () => {
    ;(await givenKms()).state.highS = true
    return { key: awsKmsKey({ address, keyId: 'alias/signer' }), expected: address }
  },
  ...(realKey && {
    'of a real service': async () => {
      const expected = await awsKmsAddress(realKey)
      return { key: awsKmsKey({ address: expected, keyId: realKey }), expected }
    },
  }),
}

test.each(Object.entries(adapters))('a key %s signs digests with a low s and the right parity', async (_, given) => {
  const { key, expected } = await given()
  expect(key.address).toBe(expected)
  for (const digest of digests) {
    const signature = await key.sign(digest)
    expect(BigInt(signature.s) <= N / 2n).toBe(true)
    expect(recoverAddress(digest, signature)).toBe(expected)
  }
})

describe('a key of AWS KMS', () => {
  test.each([
    ['refuses', 'refuse', /not authorized/],
    ['does not respond in time', 'hang', /abort|timed? ?out/i],
  ] as const)('throws while the service %s, and signs afterwards', async (_, mode, message) => {
    const { state } = await givenKms()
    const key = awsKmsKey({ address, keyId: 'alias/signer', timeoutMs: 200 })
    state.mode = mode
    await expect(key.sign(digests[0]!)).rejects.toThrow(message)
    state.mode = 'sign'
    await expect(key.sign(digests[0]!)).resolves.toBeTruthy()
  })

  test('throws for a key that is not there, and for one of another address', async () => {
    await givenKms()
    await expect(awsKmsKey({ address, keyId: 'alias/none' }).sign(digests[0]!)).rejects.toThrow('not found')
    await expect(awsKmsKey({ address, keyId: 'alias/other' }).sign(digests[0]!)).rejects.toThrow('not one of')
    await expect(awsKmsAddress('alias/none')).rejects.toThrow('not found')
  })
})

test.each([
  '',
  '31',
  '3006020101020101ff',
  '30060201010301ff',
  '3006020901020101',
  // Another tag, another length, a byte after `s`, an `s` longer than the rest.
  '3106020101020101',
  '3007020101020101',
  '3007020101020101ff',
  '3006020101020201',
])('a signature that is none is refused: %s', (hex) => {
  expect(() => readDer(Buffer.from(hex, 'hex'))).toThrow('DER')
})

test('a public key of another curve is refused', async () => {
  const { generateKeyPairSync } = await import('node:crypto')
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  expect(() => addressOfPublicKey(publicKey.export({ format: 'der', type: 'spki' }))).toThrow('secp256k1')
})

test('the setting has keys of both kinds, each once', () => {
  const ofKms = awsKmsSetting(address, 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab')
  const upper = privateKey.replace('7', 'A')
  const setting = `${upper},${ofKms},${upper.toLowerCase()}`
  expect(setting).toMatch(new RegExp(SIGNING_KEYS))
  expect(keysOfSetting(setting)).toEqual([upper.toLowerCase(), ofKms])
  expect(signingKeyOf(ofKms)).toMatchObject({ address, isRemote: true })
  expect(signingKeyOf(privateKey)).toMatchObject({ address, isRemote: false })
  expect(signingKeyOf(ofKms.replace(address, address.toLowerCase())).address).toBe(address)
  for (const wrong of ['awskms:alias/signer', `awskms:${address}:`, `${setting},`, '0x12', `awskms:${address}:a b`])
    expect(wrong).not.toMatch(new RegExp(SIGNING_KEYS))
})
