import { join } from 'node:path'
import { startAnvil } from '@nifty/dev-servers/anvil'
import { startPostgres } from '@nifty/dev-servers/postgres'

/** The least that a second start could take: the same database server and the same chain on the same data, no store. */
const folder = process.argv[2]!
const [postgres, chain] = await Promise.all([
  startPostgres({ folder: join(folder, 'postgres'), durable: true }),
  startAnvil({ statePath: join(folder, 'chain.json') }),
])
process.stdout.write('ready\n')
process.once('SIGTERM', () => void Promise.all([postgres.stop(), chain.stop()]).then(() => process.exit(0)))
