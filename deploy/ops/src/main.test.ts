import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'

const main = join(import.meta.dirname, 'main.ts')
const id = 'd3ea7c40-151c-497c-be4d-fd9114883227'
const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const uri = 'https://lumen.example/api/tokens'
const deployer = { CHAIN_RPC_URL: 'http://127.0.0.1:1', CHAIN_DEPLOYER_KEY: `0x${'1'.repeat(64)}` }
const contracts = { CHAIN_ID: '31337', CHAIN_COLLECTION: address, CHAIN_DELIVERY: address }

/** Runs the tool as an operator does, without a terminal and without a store. */
async function ops(args: string[], env: Record<string, string> = {}) {
  const home = await temporaryFolder('ops')
  return new Promise<{ code: number; lines: string[] }>((resolve) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const options = { env: { PATH, NODE_COMPILE_CACHE, NIFTY_HOME: home, ...env } }
    const child = execFile(process.execPath, [main, ...args], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), lines: `${stdout}${stderr}`.trim().split('\n') }),
    )
    child.stdin!.end()
  })
}

const confirmed = ['--yes', '--reason', 'test']

test.each<[string, string[], Record<string, string>?]>([
  ['buyer is neither platform nor seller', ['assign', 're_1', 'buyer', ...confirmed]],
  ['nope is not a valid line id', ['assign', 're_1', 'platform', `${id},nope`, ...confirmed]],
  ['The audit log needs a reason: add --reason TEXT', ['refund', id, '--yes', '--reason', ' ']],
  ['yesterday is neither a date', ['reconcile', 'yesterday']],
  ['2999-01-01 is in the future', ['reconcile', '2999-01-01']],
  ['The kind of a difference is order, intent', ['acknowledge', 'difference', 'token', '0x1/1', ...confirmed]],
  ['Unknown service mail', ['replay', 'mail', 'all', ...confirmed]],
  ['abc is not an amount in euros', ['record-payout', id, 'abc', ...confirmed]],
  ['0x12 is not an address', ['signers', 'drain', '0x12', ...confirmed]],
  ['CHAIN_RPC_URL and CHAIN_OWNER_KEY must be set', ['signers', 'remove', address, ...confirmed], contracts],
  ['CHAIN_RPC_URL and CHAIN_OWNER_KEY must be set', ['custody', 'cancel', ...confirmed], contracts],
  [
    'name and symbol for ever',
    ['deploy-contracts', 'Lumen', 'lumen', uri, `${address},${other}`, ...confirmed],
    deployer,
  ],
  ['Name at least two signers', ['deploy-contracts', 'Lumen', 'LUMEN', uri, address, ...confirmed], deployer],
  [
    'CHAIN_MINTS_PER_HOUR is a whole number from 40',
    ['deploy-contracts', 'Lumen', 'LUMEN', uri, `${address},${other}`, ...confirmed],
    { ...deployer, CHAIN_MINTS_PER_HOUR: '39' },
  ],
  ['OPERATOR_NAME and OPERATOR_KEY are not set', ['orders'], { PAYMENTS_INTERNAL_URL: 'http://127.0.0.1:1' }],
])('"%s" is one line with exit code 2: %j', async (line, args, env) => {
  const { code, lines } = await ops(args, env)
  expect(lines).toEqual([expect.stringContaining(line)])
  expect(code).toBe(2)
})

test('a typing error is answered with what was meant', async () => {
  expect(await ops(['oders'])).toEqual({ code: 2, lines: ["error: unknown command 'oders'", '(Did you mean orders?)'] })
})

test('a restore that is refused has exit code 1', async () => {
  const { code, lines } = await ops(['restore', join(await temporaryFolder('ops'), 'no-such-backup'), ...confirmed])
  expect(lines).toEqual([expect.stringContaining('is no backup of a store')])
  expect(code).toBe(1)
})
