import { expect, test } from 'vitest'
import type { FoundWallet } from './ethereum.ts'
import { linkedWallet } from './linked-wallet.ts'

const linked = '0xAbCd000000000000000000000000000000000001'
const wallet = (id: string, request: FoundWallet['provider']['request']): FoundWallet => ({
  id,
  name: id,
  icon: null,
  provider: { request },
})
const withAccounts = (id: string, ...accounts: string[]) => wallet(id, async () => accounts)

test('of several wallets the one that has the linked address connected is used', async () => {
  const other = withAccounts('other', '0x0000000000000000000000000000000000000002')
  const own = withAccounts('own', '0x0000000000000000000000000000000000000003', linked.toLowerCase())
  expect(await linkedWallet([other, own], linked)).toBe(own)
  expect(await linkedWallet([own, other], linked)).toBe(own)
})

test.each([
  ['refuses', async () => Promise.reject(new Error('locked'))],
  [
    'throws',
    () => {
      throw new Error('not ready')
    },
  ],
  ['is silent', () => new Promise(() => {})],
  ['responds with nonsense', async () => ({ accounts: 1 })],
])('a wallet that %s hides no other one', async (_what, request) => {
  const own = withAccounts('own', linked)
  expect(await linkedWallet([wallet('broken', request), own], linked)).toBe(own)
})

test('without a connected one it is the first wallet, and only eth_accounts is called', async () => {
  const methods: string[] = []
  const listening = (id: string) =>
    wallet(id, async ({ method }) => {
      methods.push(method)
      return []
    })
  const [first, second] = [listening('first'), listening('second')]
  expect(await linkedWallet([first, second], linked)).toBe(first)
  expect(methods).toEqual(['eth_accounts', 'eth_accounts'])
  expect(await linkedWallet([second], null)).toBe(second)
  expect(await linkedWallet([], linked)).toBeUndefined()
})
