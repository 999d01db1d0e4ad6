import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startAnvil } from '../anvil.ts'
import { freePort } from '../free-port.ts'
import { startPostgres } from '../postgres.ts'
import { startServer } from '../server-process.ts'

/** Starts a server of each kind below a folder, prints their process ids and waits. */
const folder = process.argv[2]!
const node = join(folder, 'node')
const port = await freePort()
const script = `require('node:net').createServer().listen(${port}, '127.0.0.1')`
const pidIn = async (file: string) => Number((await readFile(join(folder, file), 'utf8')).split('\n', 1)[0])

await mkdir(node)
const [chain] = await Promise.all([
  startAnvil({ blocks: 'by-transaction' }),
  startPostgres({ folder: join(folder, 'postgres'), durable: false }),
  startServer({ command: process.execPath, args: ['-e', script, node], folder: node, port, cmdlinePart: node }),
])
const pids = [chain.pid, await pidIn('postgres/postmaster.pid'), await pidIn('node/server.pid')]
process.stdout.write(`${JSON.stringify(pids)}\n`)
