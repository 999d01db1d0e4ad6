import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectionInterface } from '@nifty/contracts/abi'
import { compileContracts } from '@nifty/contracts/compile'
import { ContractFactory, toQuantity } from 'ethers'
import { expect, test } from 'vitest'
import { noDelivery } from '../deliveries/delivery.store.ts'
import { authorise, givenWork, orderOf, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { deployRecipient } from '../testing/recipients.ts'

const minting = await startTestMinting()
const { chain } = minting
const check = (tokens: { token: string; ownerId: string }[], to?: string) =>
  minting.callInternal('/internal/deliverable', to === undefined ? { tokens } : { to, tokens })

const work = await givenWork(minting)
const own = { token: work.token, ownerId: work.creatorId }

test('a token in custody is deliverable, with and without a recipient', async () => {
  const { address } = await chain.newWallet()
  const fine = [{ token: work.token, deliverable: true, code: null }]
  expect((await check([own])).body.tokens).toEqual(fine)
  expect((await check([own], address)).body.tokens).toEqual(fine)
  expect((await check([own], address.toLowerCase())).body.tokens).toEqual(fine)
})

test('a delivery that the newest block accepts is deliverable without a call for its holder or an estimate', async () => {
  const { address } = await chain.newWallet()
  const holderOf = collectionInterface.getFunction('ownerOf')!.selector
  const isRefused = ({ method, params }: { method: string; params: unknown[] }) =>
    method === 'eth_estimateGas' || JSON.stringify(params).includes(holderOf)
  chain.proxy.intercept((call) => (isRefused(call) ? { error: { code: -32000, message: 'refused' } } : undefined))

  const checked = []
  for (const to of [null, address])
    checked.push(await minting.callInternal('/internal/deliverable', { to, tokens: [own] }))
  chain.proxy.heal()

  const fine = [{ token: work.token, deliverable: true, code: null }]
  expect(checked.map(({ body }) => body.tokens)).toEqual([fine, fine])
})

test('a recipient that uses more gas than a delivery may is detected before the payment', async () => {
  const burner = await deployRecipient(minting, 'GasBurningWallet')
  expect((await check([own], burner)).body.tokens[0]).toMatchObject({ code: 'recipient_refuses' })
})

test('a recipient that needs more gas than a delivery may is detected although its estimate succeeds', async () => {
  const { address } = await chain.newWallet()
  const storing = Array.from({ length: 14 }, (_, slot) => `600160${(slot + 1).toString(16).padStart(2, '0')}55`)
  // Writes 14 slots, and returns the selector of onERC721Received.
  const code = `0x${storing.join('')}63150b7a0260e01b60005260206000f3`
  await chain.provider.send('anvil_setCode', [address, code])
  expect((await check([own], address)).body.tokens[0]).toMatchObject({ code: 'recipient_refuses' })
})

test.each([
  ['burns its gas', 'GasTrapWallet', []],
  ['reverts', 'ForgingWallet', ['0x', true]],
] as const)(
  'a recipient that %s only where there is a gas price is detected before the payment',
  async (_, name, args) => {
    const trap = await deployRecipient(minting, name, ...args)
    expect((await check([own], trap)).body.tokens[0]).toMatchObject({ code: 'recipient_refuses' })
  },
)

test('a contract wallet of which the chain has reverted two deliveries in a day is refused, and no other wallet', async () => {
  const { address } = await chain.newWallet()
  const { address: plain } = await chain.newWallet()
  const contract = await deployRecipient(minting, 'ReentrantWallet')
  const revert = async (wallet: string, changedAt = new Date()) => {
    const { deliverBy, sellerId: fromId, lineId, orderId, itemId, token, buyerId } = orderOf(work, { wallet })
    const row = { ...noDelivery, lineId, orderId, itemId, token, fromId, buyerId, deliverBy: new Date(deliverBy) }
    const failed = {
      kind: 'sale',
      state: 'failed',
      reason: 'reverted',
      wallet: wallet.toLowerCase(),
      changedAt,
    } as const
    await minting.db
      .insertInto('delivery')
      .values({ ...row, ...failed })
      .execute()
  }
  const codeOf = async (to: string) => (await check([own], to)).body.tokens[0].code
  for (const wallet of [contract, plain]) await revert(wallet)
  for (const hours of [25, 26]) await revert(contract, new Date(Date.now() - hours * 3_600_000))
  expect(await codeOf(contract)).toBeNull()
  for (const wallet of [contract, plain]) await revert(wallet)
  expect([await codeOf(contract), await codeOf(plain), await codeOf(address)]).toEqual([
    'recipient_refuses',
    null,
    null,
  ])
})

test('not_owner and unknown_token are distinguished', async () => {
  const { body } = await check([
    { token: work.token, ownerId: randomUUID() },
    { token: `${chain.collection.toLowerCase()}/99999`, ownerId: work.creatorId },
    { token: `0x${'12'.repeat(20)}/1`, ownerId: work.creatorId },
    own,
  ])
  expect(body.tokens.map(({ code }: { code: string }) => code)).toEqual([
    'not_owner',
    'unknown_token',
    'unknown_token',
    null,
  ])
})

test('a recipient that rejects tokens is detected before the payment', async () => {
  const artefacts = await compileContracts({
    cacheDir: join(tmpdir(), 'nifty-contracts'),
  })
  // The collection itself has code and no receiver hook; deployed a second time it is on no list.
  const { abi, bytecode } = artefacts.NiftyCollection!
  const stranger = await new ContractFactory(abi, bytecode, chain.owner).deploy(
    chain.owner.address,
    [chain.signer.address],
    1,
    'Nifty',
    'NIFTY',
    'x',
    'x',
  )
  await stranger.deploymentTransaction()!.wait()
  for (const to of [
    await stranger.getAddress(),
    chain.delivery,
    chain.signer.address,
    `0x${'0'.repeat(40)}`,
    'vitalik.eth',
  ])
    expect((await check([own], to)).body.tokens[0]).toMatchObject({
      deliverable: false,
      code: 'recipient_refuses',
    })
})

test('a token with an open delivery is not deliverable', async () => {
  const sold = await givenWork(minting)
  await chain.mineEachTransaction(false)
  const order = await authorise(minting, sold, { wallet: (await chain.newWallet()).address })
  expect((await check([{ token: sold.token, ownerId: sold.creatorId }])).body.tokens[0]).toMatchObject({
    deliverable: false,
    code: 'being_delivered',
  })
  await chain.mineEachTransaction(true)
  await untilState(minting, order.lineId, 'final')
})

test('below the gas reserve no purchase starts, and the status shows the number of deliveries left', async () => {
  const { provider, signer } = chain
  await provider.send('anvil_setBalance', [signer.address, toQuantity(10n ** 13n)])
  const { status, body } = await check([own])
  expect(status).toBe(503)
  expect(body).toMatchObject({ success: false, code: 'gas_low', message: 'Payments are temporarily unavailable' })
  expect((await minting.callInternal('/internal/ops/status')).body.signers[0].balance.deliveriesLeft).toBeLessThan(1)
  await provider.send('anvil_setBalance', [signer.address, toQuantity(10n ** 21n)])
  expect((await check([own])).status).toBe(200)
})

test('while the chain node does not respond, /internal/deliverable returns 503', async () => {
  chain.proxy.fail({ '*': 'before' })
  expect((await check([own])).status).toBe(503)
  const status = await minting.callInternal('/internal/ops/status')
  expect(status.body).toMatchObject({ signers: [{ balance: null, chainNonce: null }] })
  chain.proxy.heal()
})

test.each([
  { code: -32005, message: 'rate limit exceeded' },
  { code: -32000, message: 'header not found' },
])('while the chain node answers calls with "$message", /internal/deliverable returns 503', async (error) => {
  chain.proxy.refuse({ eth_call: error })
  expect(await check([own])).toMatchObject({ status: 503, body: { code: 'chain_unavailable' } })
  chain.proxy.heal()
  expect((await check([own])).body.tokens[0]).toMatchObject({ deliverable: true })
})

test('no transaction is signed for a node of another chain', async () => {
  const fresh = await givenWork(minting)
  await minting.stop()
  chain.proxy.respond({ eth_chainId: '0x1' })
  await minting.start()
  const order = await authorise(minting, fresh, { wallet: (await chain.newWallet()).address })
  await minting.untilPolled(20)
  await expect(untilStateSoon(order.lineId)).resolves.toBe('waiting')
  chain.proxy.heal()
  await untilState(minting, order.lineId, 'final')
})
const untilStateSoon = async (lineId: string) =>
  (await minting.db.selectFrom('delivery').select('state').where('lineId', '=', lineId).executeTakeFirstOrThrow()).state

test.each([
  ['no tokens', { tokens: [] }],
  ['eleven tokens', { tokens: Array.from({ length: 11 }, () => own) }],
  ['an owner that is no id', { tokens: [{ token: work.token, ownerId: 'me' }] }],
  ['a token that is a number', { tokens: [{ token: 5, ownerId: work.creatorId }] }],
])('%s is a 400', async (_what, body) => {
  expect((await minting.callInternal('/internal/deliverable', body)).status).toBe(400)
})

test('a malformed token is unknown_token', async () => {
  for (const token of ['x', `${chain.collection}/1e3`, `${chain.collection.toLowerCase()}/${'9'.repeat(90)}`, '/'])
    expect((await check([{ token, ownerId: work.creatorId }])).body.tokens[0].code).toBe('unknown_token')
})
