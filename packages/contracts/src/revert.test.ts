import { AbiCoder, concat, id } from 'ethers'
import { expect, test } from 'vitest'
import { collectionInterface } from './abi.ts'
import { parseRevert, revertOf } from './revert.ts'

test('a custom error is parsed with the names of its arguments', () => {
  const data = collectionInterface.encodeErrorResult('PermitExpired', [7n, 1_700_000_000n])
  expect(parseRevert(data)).toEqual({
    name: 'PermitExpired',
    args: { tokenId: '7', deadline: '1700000000' },
    text: 'PermitExpired(tokenId 7, deadline 1700000000)',
  })
})

test('messages, panics, unknown errors and empty reverts are distinguished', () => {
  const coder = AbiCoder.defaultAbiCoder()
  const selector = (signature: string) => id(signature).slice(0, 10)
  const message = concat([selector('Error(string)'), coder.encode(['string'], ['not today'])])
  const panic = concat([selector('Panic(uint256)'), coder.encode(['uint256'], [0x11])])

  expect(parseRevert(message)).toMatchObject({ name: 'Error', text: expect.stringContaining('not today') })
  expect(parseRevert(panic)).toMatchObject({ name: 'Panic', text: expect.stringContaining('17') })
  expect(parseRevert('0x12345678')).toEqual({
    name: 'Unknown',
    args: { data: '0x12345678' },
    text: 'reverted with 0x12345678',
  })
  expect(parseRevert('0x')).toMatchObject({ name: 'Silent' })
})

test('a forged or truncated revert reason does not throw', () => {
  const cut = collectionInterface.encodeErrorResult('PermitExpired', [7n, 8n]).slice(0, 40)
  const long = concat([id('Error(string)').slice(0, 10), `0x${'ff'.repeat(64)}`])
  for (const data of [cut, long, '0x00', `0x${'00'.repeat(260)}`]) expect(parseRevert(data).name).toBe('Unknown')
})

test('revertOf returns undefined for other errors', () => {
  expect(revertOf(new Error('socket hang up'))).toBeUndefined()
  expect(revertOf(undefined)).toBeUndefined()
})

// Errors that public nodes return for a call, as ethers passes them on.
const nodeErrors = [
  { code: -32005, message: 'rate limit exceeded' },
  { code: -32000, message: 'header not found' },
  { code: -32000, message: 'missing trie node 5f2c (path ) <nil>' },
  { code: -32603, message: 'internal error' },
  { code: -32002, message: 'request timed out' },
]

test.each(nodeErrors)('an error of JSON-RPC is no refusal: $message', (error) => {
  expect(revertOf(callError(error))).toBeUndefined()
})

test('revert data, or code 3 without data, is a refusal', () => {
  const data = collectionInterface.encodeErrorResult('ERC721NonexistentToken', [7n])
  expect(revertOf(callError({ code: -32000, message: 'execution reverted', data }))).toMatchObject({
    name: 'ERC721NonexistentToken',
  })
  expect(revertOf(callError({ code: 3, message: 'execution reverted' }))).toMatchObject({ name: 'Silent' })
})

/** As JsonRpcApiProvider makes it of an error response to `eth_call`. */
function callError(error: { code: number; message: string; data?: string }) {
  const made = AbiCoder.getBuiltinCallException('call', { to: `0x${'1'.repeat(40)}`, data: '0x' }, error.data ?? null)
  return Object.assign(made, { info: { error } })
}
