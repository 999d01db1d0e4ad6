import { Wallet } from 'ethers'
import { walletOf } from './cast/accounts.ts'
import type { OperatorsTool } from './operators-tool.ts'
import type { Servers } from './servers.ts'

const FUNDS = `0x${(10n ** 20n).toString(16)}`

/** A key that the store has from the start, and that gets its role during the run. */
export const secondSigner = (seed: string) => walletOf(seed, 'second signer')

/** What the contracts delay, `DELAY`. */
const DELAY_SECONDS = 48 * 3600

type Deps = { tool: OperatorsTool; seed: string; servers: Servers; signerKey: string }

/**
 * Replaces the signer's key with the operator's tool: the new key gets its role, for which 48 hours pass on the chain,
 * then the former one signs nothing new (`drained`) or loses its role while its transactions are under way (`removed`,
 * as for a stolen key).
 */
export async function rotateKey({ tool, seed, servers, signerKey }: Deps, how: 'drained' | 'removed') {
  const [former, next] = [new Wallet(signerKey).address, secondSigner(seed).address]
  await servers.chain('anvil_setBalance', [next, FUNDS])
  await tool(['signers', 'add', next, '--reason', 'rotation'])
  await servers.chain('evm_increaseTime', [DELAY_SECONDS])
  await tool(['signers', how === 'drained' ? 'drain' : 'remove', former, '--reason', 'rotation'])
}
