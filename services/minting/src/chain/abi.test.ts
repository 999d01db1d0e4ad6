import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import { collectionInterface, deliveryInterface } from './abi.ts'
import { compileContracts } from './compile.ts'

const compiled = await compileContracts()
const linesOf = (contract: Interface) => contract.format().filter((line) => !line.startsWith('constructor'))

test.each([
  ['NiftyCollection', collectionInterface],
  ['NiftyDelivery', deliveryInterface],
])('what the service knows of %s is what its source says, to the last error', (name, known) => {
  expect(linesOf(known).sort()).toEqual(linesOf(new Interface(compiled[name]!.abi)).sort())
})

test.each(Object.keys(compiled))('%s fits on the chain: at most 24,576 bytes of code', (name) => {
  expect((compiled[name]!.bytecode.length - 2) / 2).toBeLessThan(24_576)
})
