import { connectChain } from '@nifty/contracts/provider'
import { startAnvil } from '@nifty/dev-servers/anvil'
import { hashMessage, Wallet } from 'ethers'
import { afterAll, expect, test } from 'vitest'
import { givenMember, type Member, startTestAuth } from '../testing/auth.ts'

const anvil = await startAnvil({ blocks: 'by-transaction' })
afterAll(anvil.stop)
const chain = connectChain({ rpcUrl: anvil.url })
afterAll(() => chain.destroy())
const auth = await startTestAuth({ env: { CHAIN_RPC_URL: anvil.url } }, afterAll)

/** Code of a contract that accepts any signature of one text, by its hash (EIP-191), and returns nothing for others. */
const accepting = (message: string) =>
  `0x7f${hashMessage(message).slice(2)}6004351460295700${'5b631626ba7e60e01b60005260206000f3'}`
const reverting = '0x60006000fd'
const endless = '0x5b600056'
const answering = (word: string) => `0x7f${word.padEnd(64, '0')}60005260206000f3`

const unproven = { status: 400, body: { code: 'invalid_signature' } }
const bytes = (count: number) => `0x${'5a'.repeat(count)}`
const someAddress = () => Wallet.createRandom().address

const challenge = async ({ token }: Member, address: string): Promise<string> =>
  (await auth.call('POST', '/api/wallet/challenge', { body: { address }, token })).body.message
const connect = ({ id, token, stepUp }: Member, address: string, message: string, signature: string) => {
  const body = { userId: id, metamaskAddress: address, message, signature }
  return auth.call('POST', '/api/wallet/connect-metamask', { body, token, stepUp })
}
/** The contract is in a final block. */
async function deploy(address: string, code: string) {
  await chain.send('anvil_setCode', [address, code])
  await chain.send('anvil_mine', ['0x8'])
}

test('a contract wallet proves itself by ERC-1271, with a signature of up to 8 kB, and signs for a step-up', async () => {
  const ada = await givenMember(auth)
  const address = someAddress()
  const message = await challenge(ada, address)
  await deploy(address, accepting(message))

  const tooLong = await connect(ada, address, message, bytes(8_193))
  expect(tooLong).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect((await connect(ada, address, message, bytes(8_192))).status).toBe(200)

  const { user } = (await auth.call('GET', '/api/auth/user', { token: ada.token })).body
  expect(user).toMatchObject({ metamaskAddress: address, walletProven: true })
  const toSign = (await auth.call('POST', '/api/auth/step-up/challenge', { token: ada.token })).body.message
  const stepUp = (signature: string) =>
    auth.call('POST', '/api/auth/step-up', { body: { wallet: { message: toSign, signature } }, token: ada.token })
  expect(await stepUp(bytes(650))).toMatchObject(unproven)
  await deploy(address, accepting(toSign))
  expect(await stepUp('nonsense')).toMatchObject(unproven)
  expect((await stepUp(bytes(650))).status).toBe(200)
  expect(await stepUp(bytes(650))).toMatchObject(unproven)
})

test.each([
  ['refuses', answering('ffffffff')],
  ['answers more than the magic value', answering('1626ba7e01')],
  ['answers nothing', '0x00'],
  ['reverts', reverting],
  ['uses more gas than it gets', endless],
  ['ends in INVALID', '0xfe'],
  ['has an unknown opcode', '0x0c'],
  ['jumps nowhere', '0x60ff56'],
  ['takes from an empty stack', '0x50'],
])('a contract that %s proves nothing, and nothing is linked', async (_, code) => {
  const ada = await givenMember(auth)
  const address = someAddress()
  await deploy(address, code)
  expect(await connect(ada, address, await challenge(ada, address), bytes(65))).toMatchObject(unproven)
  const { user } = (await auth.call('GET', '/api/auth/user', { token: ada.token })).body
  expect(user.metamaskAddress).toBeNull()
})

test('a contract counts from its final block on', async () => {
  const ada = await givenMember(auth)
  const address = someAddress()
  const message = await challenge(ada, address)
  await chain.send('anvil_setCode', [address, accepting(message)])
  await chain.send('anvil_mine', ['0x1'])

  expect(await connect(ada, address, message, bytes(65))).toMatchObject(unproven)
  await chain.send('anvil_mine', ['0x8'])
  expect((await connect(ada, address, message, bytes(65))).status).toBe(200)
})

test('a text that was not issued, or to another account, is not shown to the contract', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const address = someAddress()
  const message = await challenge(ada, address)
  await deploy(address, accepting(message))
  expect(await connect(eve, address, message, bytes(65))).toMatchObject(unproven)
})

test('a wallet that is not deployed yet is told so', async () => {
  const ada = await givenMember(auth)
  const address = someAddress()
  const message = await challenge(ada, address)
  const wrapped = `${bytes(200)}${'6492'.repeat(16)}`
  expect(await connect(ada, address, message, wrapped)).toMatchObject({
    status: 400,
    body: { code: 'wallet_not_deployed' },
  })
  expect(await connect(ada, address, message, bytes(65))).toMatchObject(unproven)
})

test('while the node does not respond, key pairs prove themselves and a contract gets a 503', async () => {
  const gone = await startTestAuth({ env: { CHAIN_RPC_URL: 'http://127.0.0.1:9' } })
  const ada = await givenMember(gone)
  const prove = async (address: string, sign: (message: string) => string | Promise<string>) => {
    const { token, stepUp } = ada
    const { message } = (await gone.call('POST', '/api/wallet/challenge', { body: { address }, token })).body
    const body = { userId: ada.id, metamaskAddress: address, message, signature: await sign(message) }
    return gone.call('POST', '/api/wallet/connect-metamask', { body, token, stepUp })
  }
  const refused = await prove(someAddress(), () => bytes(65))
  expect(refused).toMatchObject({ status: 503, body: { code: 'chain_unavailable' } })
  const wallet = Wallet.createRandom()
  expect((await prove(wallet.address, (message) => wallet.signMessage(message))).status).toBe(200)
})

test('without a node only key pairs prove themselves', async () => {
  const plain = await startTestAuth()
  const ada = await givenMember(plain)
  const address = someAddress()
  const { token, stepUp } = ada
  const { message } = (await plain.call('POST', '/api/wallet/challenge', { body: { address }, token })).body
  const body = { userId: ada.id, metamaskAddress: address, message, signature: bytes(65) }
  expect(await plain.call('POST', '/api/wallet/connect-metamask', { body, token, stepUp })).toMatchObject(unproven)
})
