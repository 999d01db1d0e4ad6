import { expect, test } from 'vitest'
import { signText } from './ethereum.ts'

test('a text is signed as hex of its UTF-8 bytes', async () => {
  const calls: unknown[] = []
  const provider = {
    request: async (call: unknown) => {
      calls.push(call)
      return '0x51'
    },
  }
  expect(await signText(provider, '0xab', 'é')).toBe('0x51')
  expect(calls).toEqual([{ method: 'personal_sign', params: ['0xc3a9', '0xab'] }])
})

test.each([null, undefined, {}, 5])('the answer %j of a wallet is no signature', async (answer) => {
  await expect(signText({ request: async () => answer }, '0xab', 'text')).rejects.toThrow('without a signature')
})
