import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { RunFile } from '@nifty/local/run-file'
import { Wallet } from 'ethers'
import { walletOf } from './cast/accounts.ts'
import type { Journal } from './journal.ts'
import type { Servers } from './servers.ts'

const run = promisify(execFile)
const operatorsTool = join(import.meta.dirname, '../../../../deploy/ops/src/main.ts')
const FUNDS = `0x${(10n ** 20n).toString(16)}`
const RETRY_MS = 1_000
const ATTEMPTS = 60

/** A key that the store has from the start, and that gets its role during the run. */
export const secondSigner = (seed: string) => walletOf(seed, 'second signer')

type Deps = { run: RunFile; dataDir: string; seed: string; servers: Servers; journal: Journal }

/**
 * Replaces the signer's key with the operator's tool: the new key gets its role, then the former one signs nothing new
 * (`drained`) or loses its role while its transactions are under way (`removed`, as for a stolen key).
 */
export async function rotateKey({ run: store, dataDir, seed, servers, journal }: Deps, how: 'drained' | 'removed') {
  const secrets: Record<string, string> = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))
  const env = {
    ...process.env,
    NIFTY_HOME: dataDir,
    CHAIN_RPC_URL: store.chainRpcUrl,
    CHAIN_OWNER_KEY: secrets.chainDeployerKey,
  }
  /** The command is safe to repeat: minting may be down when it runs. */
  async function command(name: string, address: string) {
    const args = [operatorsTool, 'signers', name, address, '--operator', 'storm', '--reason', 'rotation']
    for (let attempt = 1; ; attempt++) {
      try {
        const { stdout } = await run(process.execPath, args, { env })
        journal.write({ actor: 'nemesis', what: `signers ${name}`, address, attempt, stdout })
        return
      } catch (error) {
        if (attempt === ATTEMPTS) throw error
        await sleep(RETRY_MS)
      }
    }
  }
  const [former, next] = [new Wallet(secrets.chainSignerKey!).address, secondSigner(seed).address]
  await servers.chain('anvil_setBalance', [next, FUNDS])
  await command('add', next)
  await command(how === 'drained' ? 'drain' : 'remove', former)
}
