import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import { collectionInterface, deliveryInterface } from './abi.ts'
import { compileContracts } from './compile.ts'

const compiled = await compileContracts()

test.each([
  ['NiftyCollection', collectionInterface],
  ['NiftyDelivery', deliveryInterface],
])('the ABI of %s in abi.ts equals that of its source', (name, declared) => {
  expect(declared.format().sort()).toEqual(new Interface(compiled[name]!.abi).format().sort())
})

test.each(Object.keys(compiled))('%s fits on the chain: at most 24,576 bytes of code', (name) => {
  expect((compiled[name]!.bytecode.length - 2) / 2).toBeLessThan(24_576)
})

/** Checked in, so that a deployment (an image, a first start) needs no compiler. `vitest -u` updates the file. */
test('bytecode.json equals the compiled sources', async () => {
  const bytecode = Object.fromEntries(Object.entries(compiled).map(([name, { bytecode }]) => [name, bytecode]))
  await expect(`${JSON.stringify(bytecode, null, 2)}\n`).toMatchFileSnapshot('../solidity/bytecode.json')
})
