import { join } from 'node:path'
import { startPostgres } from '@nifty/local/parts/postgres'
import { startLocalChain } from '@nifty/minting/chain/local-chain'

/** The least that a second start could take: the same database server and the same chain on the same data, no store. */
const folder = process.argv[2]!
const [postgres, chain] = await Promise.all([
  startPostgres({ folder: join(folder, 'postgres'), durable: true }),
  startLocalChain({ statePath: join(folder, 'chain.json') }),
])
process.stdout.write('ready\n')
process.once('SIGTERM', () => void Promise.all([postgres.stop(), chain.stop()]).then(() => process.exit(0)))
