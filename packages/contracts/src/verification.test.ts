import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import bytecode from '../solidity/bytecode.json' with { type: 'json' }
import { verificationInput } from './verification.ts'

test('an explorer that has the input file only compiles what a deployment puts on the chain', {
  timeout: 60_000,
}, () => {
  const solc = createRequire(import.meta.url)('solc')
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(verificationInput())))
  expect(errors.filter(({ severity }: { severity: string }) => severity === 'error')).toEqual([])
  const compiled = Object.fromEntries(
    Object.keys(bytecode).map((name) => [name, `0x${contracts[`${name}.sol`][name].evm.bytecode.object}`]),
  )
  expect(compiled).toEqual(bytecode)
})
