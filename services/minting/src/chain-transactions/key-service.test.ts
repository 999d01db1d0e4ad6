import { awsKmsSetting } from '@nifty/contracts/signing/key-setting'
import { startKmsServer } from '@nifty/contracts/signing/testing/kms-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { authorise, deliveryOf, givenWork, untilState, type Work } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'

const minting = await startTestMinting()
const { chain } = minting
const kms = await startKmsServer({ 'alias/signer': chain.signer.privateKey })

const canBuy = async ({ token, creatorId }: Work) =>
  (await minting.callInternal('/internal/deliverable', { tokens: [{ token, ownerId: creatorId }] })) as {
    status: number
    body: { code?: string }
  }
const restart = async () => {
  await minting.stop()
  await minting.start()
}

beforeAll(async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', kms.url)
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'of-a-test')
  minting.config.chain.signerKeys = [awsKmsSetting(chain.signer.address, 'alias/signer')]
  await restart()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await kms.stop()
})

test('a key management service signs mints and deliveries', async () => {
  const work = await givenWork(minting)
  const buyer = (await chain.newWallet()).address
  expect((await canBuy(work)).status).toBe(200)

  const { lineId } = await authorise(minting, work, { wallet: buyer })
  await untilState(minting, lineId, 'final')

  expect(await chain.ownerOf(work.identifier)).toBe(buyer)
})

test('while the service does not respond, purchases are refused and what was authorised waits', async () => {
  const work = await givenWork(minting)
  const buyer = (await chain.newWallet()).address
  kms.state.mode = 'hang'
  // Its last signature does not count for a process that starts now, which needs no response for that.
  await restart()

  const { lineId } = await authorise(minting, work, { wallet: buyer })
  expect(await canBuy(work)).toMatchObject({ status: 503, body: { code: 'signer_halted' } })
  expect((await deliveryOf(minting, lineId)).transactionId).toBeNull()

  kms.state.mode = 'sign'
  await untilState(minting, lineId, 'final')
  expect(await chain.ownerOf(work.identifier)).toBe(buyer)
  expect((await canBuy(work)).status).toBe(200)
})

test('a key of another address is a key that cannot sign', async () => {
  const work = await givenWork(minting)
  minting.config.chain.signerKeys = [awsKmsSetting((await chain.newWallet()).address, 'alias/signer')]
  await restart()
  expect(await canBuy(work)).toMatchObject({ status: 503, body: { code: 'signer_halted' } })
})
