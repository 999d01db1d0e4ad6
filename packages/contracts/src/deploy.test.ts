import { Wallet } from 'ethers'
import { expect, test } from 'vitest'
import bytecode from '../solidity/bytecode.json' with { type: 'json' }
import { collectionAt, deliveryAt } from './contract.ts'
import { deployContracts } from './deploy.ts'
import { LOCAL_SETTINGS } from './settings.ts'
import { startTestChain } from './testing/test-chain.ts'

const chain = await startTestChain()
const { provider, newWallet } = chain

const deploy = (deployer: Wallet, signers = [chain.signer.address]) =>
  deployContracts({
    provider,
    deployerKey: deployer.privateKey,
    signers,
    baseUri: 'https://nifty.test/api/tokens',
    settings: LOCAL_SETTINGS,
  })
const transactionsOf = ({ address }: Wallet) => provider.getTransactionCount(address)

test('deployContracts is idempotent: existing contracts are found, and no transaction is sent', async () => {
  const deployer = await newWallet()
  const first = await deploy(deployer)
  await chain.mine(3)

  expect(await deploy(deployer)).toEqual(first)
  expect(await transactionsOf(deployer)).toBe(2)
  expect(await provider.getCode(first.collection, first.fromBlock - 1)).toBe('0x')
  expect(await deliveryAt(first.delivery, provider).isCollection(first.collection)).toBe(true)
  const { NiftyCollection } = first.constructorArguments
  const block = await provider.getBlock(first.fromBlock, true)
  expect(block!.prefetchedTransactions[0]!.data).toBe(bytecode.NiftyCollection + NiftyCollection.slice(2))
})

test('an interrupted deployment continues where it stopped', async () => {
  const deployer = await newWallet()
  await chain.mineEachTransaction(false)
  const left = deploy(deployer)
  const waiting = () => provider.getTransactionCount(deployer.address, 'pending')
  await expect.poll(waiting).toBe(1)
  const again = deploy(deployer)
  await chain.mine()
  await expect.poll(waiting).toBe(2)
  await chain.mineEachTransaction(true)
  await chain.mine()

  expect(await again).toEqual(await left)
  expect(await transactionsOf(deployer)).toBe(2)
})

test('a deployer key with other transactions is refused', async () => {
  const deployer = await newWallet()
  await (await deployer.sendTransaction({ to: deployer.address })).wait()

  await expect(deploy(deployer)).rejects.toThrow('has sent other transactions')
  expect(await transactionsOf(deployer)).toBe(1)
})

test('a repeated deployment with another signer is refused: only the owner adds signers', async () => {
  const deployer = await newWallet()
  const { collection, delivery } = await deploy(deployer)
  const { address: next } = await newWallet()

  await expect(deploy(deployer, [next])).rejects.toThrow('addSigner')
  await (await collectionAt(collection, deployer).addSigner(next)).wait()
  await (await deliveryAt(delivery, deployer).addSigner(next)).wait()
  expect(await deploy(deployer, [next])).toMatchObject({ collection, delivery })
})

test('a repeated deployment under another name, symbol or address of metadata is refused', async () => {
  const deployer = await newWallet()
  const deployAs = (settings: object, baseUri = 'https://lumen.test/api/tokens') =>
    deployContracts({
      provider,
      deployerKey: deployer.privateKey,
      signers: [chain.signer.address],
      baseUri,
      settings: { ...LOCAL_SETTINGS, name: 'Galerie Lumen', symbol: 'LUMEN', ...settings },
    })
  const { collection } = await deployAs({})
  const known = `This key has deployed ${collection}, whose`
  await expect(deployAs({ name: 'Lumen' })).rejects.toThrow(`${known} name is "Galerie Lumen", not "Lumen".`)
  await expect(deployAs({ symbol: 'GL' })).rejects.toThrow(`${known} symbol is "LUMEN", not "GL".`)
  await expect(deployAs({}, 'https://lumen.example/api/tokens')).rejects.toThrow(`${known} contractURI is`)
  expect(await transactionsOf(deployer)).toBe(2)
})

test('a deployer without funds is named in the error', async () => {
  const poor = new Wallet(`0x${'7'.repeat(64)}`)
  await expect(deploy(poor)).rejects.toThrow(`${poor.address} has insufficient funds for the gas`)
})

test('every given address is a signer of both contracts from the start, and keeps its name and limits', async () => {
  const { address: standBy } = await newWallet()
  const settings = { name: 'Galerie Lumen', symbol: 'LUMEN', movesPerHour: 200, mintsPerHour: 500 }
  const { collection, delivery } = await deployContracts({
    provider,
    deployerKey: (await newWallet()).privateKey,
    signers: [chain.signer.address, standBy],
    baseUri: 'https://lumen.test/api/tokens',
    settings,
  })

  const [works, custody] = [collectionAt(collection, provider), deliveryAt(delivery, provider)]
  for (const contract of [works, custody]) expect(await contract.isSigner(standBy)).toBe(true)
  expect([await works.name(), await works.symbol()]).toEqual(['Galerie Lumen', 'LUMEN'])
  expect((await works.eip712Domain()).name).toBe('Galerie Lumen')
  expect(await works.contractURI()).toBe(`https://lumen.test/api/tokens/${collection}`)
  expect([await custody.limitPerHour(), await works.limitPerHour()]).toEqual([200n, 500n])
})
