import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import { collectionInterface, deliveryInterface } from './abi.ts'
import { compileContracts } from './compile.ts'

const compiled = await compileContracts()

test.each([
  ['NiftyCollection', collectionInterface],
  ['NiftyDelivery', deliveryInterface],
])('what the service knows of %s is what its source says, to the last error', (name, known) => {
  expect(known.format().sort()).toEqual(new Interface(compiled[name]!.abi).format().sort())
})

test.each(Object.keys(compiled))('%s fits on the chain: at most 24,576 bytes of code', (name) => {
  expect((compiled[name]!.bytecode.length - 2) / 2).toBeLessThan(24_576)
})

/** Checked in, so that whoever deploys needs no compiler: an image, a store's first start. `vitest -u` writes it anew. */
test('what is deployed is what the sources say, to the last byte', async () => {
  const bytecode = Object.fromEntries(Object.entries(compiled).map(([name, { bytecode }]) => [name, bytecode]))
  await expect(`${JSON.stringify(bytecode, null, 2)}\n`).toMatchFileSnapshot('../../solidity/bytecode.json')
})
