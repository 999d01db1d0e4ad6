import { collectionAt, deliveryAt } from '@nifty/contracts/contract'
import { authorise, givenWork, untilState } from '@nifty/minting/testing/fixtures'
import { startTestMinting } from '@nifty/minting/testing/minting'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { testCredential } from '@nifty/service-kit/testing/peers'
import { afterAll, expect, test, vi } from 'vitest'
import { commands } from './commands.ts'
import { connectStore } from './store.ts'

const minting = await startTestMinting()
const { chain } = minting
afterAll(() => vi.unstubAllEnvs())

/** Of no store, unless minting is given. */
const store = { ...connectStore({ NIFTY_HOME: '/no-store' }) }
const ops = async (name: string, ...args: string[]) =>
  String(await commands[name]!.run(store, args, { reason: 'a test' }))

test('contracts are deployed under the name of the shop, with a stand-by and the limits of a real chain', async () => {
  const { provider, newWallet } = chain
  const [deployer, signer, standBy] = [await newWallet(), await newWallet(), await newWallet()]
  const settings = {
    CHAIN_RPC_URL: chain.proxy.url,
    CHAIN_ID: '31337',
    CHAIN_DEPLOYER_KEY: deployer.privateKey,
    CHAIN_CONTRACT_URI: 'ipfs://lumen',
  }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const signers = `${signer.address},${standBy.address}`
  const deploy = (...addresses: string[]) =>
    ops('deploy-contracts', 'Galerie Lumen', 'LUMEN', 'https://lumen.example/api/tokens/', addresses.join(','))

  const printed = await deploy(signer.address, standBy.address)
  const [, works, custody] = /^CHAIN_COLLECTION=(\w+)\nCHAIN_DELIVERY=(\w+)\nCHAIN_FROM_BLOCK=\d+\n/.exec(printed)!
  expect(printed).toContain(`WALLET_DENY_LIST=${signers},${works},${custody}`)
  const [collection, delivery] = [collectionAt(works!, provider), deliveryAt(custody!, provider)]
  expect([await collection.name(), await collection.contractURI()]).toEqual(['Galerie Lumen', 'ipfs://lumen'])
  expect([await delivery.limitPerHour(), await collection.limitPerHour()]).toEqual([200n, 500n])
  for (const contract of [collection, delivery]) expect(await contract.isSigner(standBy.address)).toBe(true)
  await expect(deploy(signer.address, deployer.address)).rejects.toThrow('The deployer owns the contracts')
})

const [NAME, SYMBOL, URI] = ['Galerie Lumen', 'LUMEN', 'https://lumen.example/api/tokens']

test.each([
  [' ', SYMBOL, URI, 'name and symbol for ever'],
  [' Lumen', SYMBOL, URI, 'name and symbol for ever'],
  ['Lu\u202Emen', SYMBOL, URI, 'name and symbol for ever'],
  ['Lumen\nGold', SYMBOL, URI, 'name and symbol for ever'],
  ['L'.repeat(10_000), SYMBOL, URI, 'name and symbol for ever'],
  // 31 characters, 32 bytes.
  ['Galerie Lumen & Söhne, Berlin!!', SYMBOL, URI, 'at most 31 bytes'],
  [NAME, 'LÜMEN', URI, 'name and symbol for ever'],
  [NAME, SYMBOL, 'http://lumen.example/api/tokens', 'The base uri'],
  [NAME, SYMBOL, 'https://lumen.example/shop/api/tokens', 'The base uri'],
  [NAME, SYMBOL, 'https://user@lumen.example/api/tokens', 'The base uri'],
  [NAME, SYMBOL, 'https://lumen.example/?a=/api/tokens', 'The base uri'],
  [NAME, SYMBOL, 'https:// lumen.example/api/tokens', 'The base uri'],
])('what is on the chain for ever is checked first: %j %s %s', async (name, symbol, uri, problem) => {
  await expect(ops('deploy-contracts', name, symbol, uri, chain.signer.address)).rejects.toThrow(problem)
})

test.each([
  ['CHAIN_CONTRACT_URI', 'ipfs://a b'],
  ['CHAIN_CONTRACT_URI', 'lumen'],
  ['CHAIN_ID', 'polygon'],
])('%s cannot be %s', async (variable, value) => {
  const deployer = (await chain.newWallet()).privateKey
  const given = { CHAIN_RPC_URL: chain.proxy.url, CHAIN_ID: '31337', CHAIN_DEPLOYER_KEY: deployer, [variable]: value }
  for (const [name, text] of Object.entries(given)) vi.stubEnv(name, text)
  const signers = `${chain.signer.address},${chain.standBy.address}`
  await expect(ops('deploy-contracts', NAME, SYMBOL, URI, signers)).rejects.toThrow(variable)
  vi.unstubAllEnvs()
})

const moves = () =>
  minting.messages
    .filter(({ name }) => name === 'minting.token-moved.v1')
    .map(({ data }) => data as { token: string; ownerId: string; wallet: string | null })

test('the custody moves to a successor after 48 hours, owners stay, and works are delivered from there', async () => {
  const works = [await givenWork(minting), await givenWork(minting)]
  const deployer = await chain.newWallet()
  const settings = {
    CHAIN_RPC_URL: chain.proxy.url,
    CHAIN_ID: '31337',
    CHAIN_COLLECTION: chain.collection,
    CHAIN_DELIVERY: chain.delivery,
    CHAIN_OWNER_KEY: chain.owner.privateKey,
    CHAIN_DEPLOYER_KEY: deployer.privateKey,
  }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)

  const successor = (
    await ops('custody deploy', [chain.signer.address, (await chain.newWallet()).address].join(','))
  ).split(' ')[1]!
  const limits = [successor, chain.delivery].map((at) => deliveryAt(at, chain.provider).limitPerHour())
  expect(await limits[0]).toBe(await limits[1])
  await expect(ops('custody announce', chain.collection)).rejects.toThrow()
  expect(await ops('custody announce', successor)).toContain(successor)
  await expect(ops('custody move')).rejects.toThrow('HandOverNotDue')
  expect(await ops('custody cancel')).toBe('No hand-over is announced.')
  await ops('custody announce', successor)
  await chain.provider.send('evm_increaseTime', [48 * 3600])
  await chain.mine()
  const { minting: withoutMinting } = store
  store.minting = createServiceClient({ url: minting.internalUrl, credential: testCredential, name: 'minting' })
  await expect(ops('custody move')).rejects.toThrow('Minting runs')
  store.minting = withoutMinting
  await minting.stop()

  expect(await ops('custody move')).toContain(`2 tokens are handed over. Set CHAIN_DELIVERY=${successor}`)
  expect(await ops('custody move')).toContain('0 tokens are handed over')
  minting.config.chain.delivery = successor
  await minting.start()
  await minting.until(() => moves().filter(({ wallet }) => wallet === null).length === 4)

  const owners = moves().map(({ token, ownerId }) => `${token} ${ownerId}`)
  for (const { token, creatorId } of works)
    expect(owners.filter((owner) => owner === `${token} ${creatorId}`)).toHaveLength(2)
  const buyer = await chain.newWallet()
  const line = await authorise(minting, works[0]!, { wallet: buyer.address })
  await untilState(minting, line.lineId, 'final')
  expect(await chain.ownerOf(works[0]!.identifier)).toBe(buyer.address)
})
