import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { endWithParent } from './end-with-parent.ts'
import { stopProcess } from './stop-process.ts'

const DEFAULT_CHAIN_ID = 31337
const BLOCK_MS = 1_000
const COPY_EVERY_MS = 2_000

export type AnvilOptions = {
  port?: number
  chainId?: number
  blocks?: number | 'by-transaction'
  statePath?: string
}

/** `stop` resolves when the process has exited and may be called twice. `exited` resolves on any exit. */
type Anvil = { url: string; pid: number; exited: Promise<void>; stop: () => Promise<void> }

/**
 * Starts anvil, an Ethereum development chain, on a free port. A block is final two blocks later. `blocks`: the time
 * between them in ms, by default a second, or `by-transaction`: each transaction is mined at once (for tests).
 * `statePath`: the file that keeps the chain across restarts, written every second.
 */
export async function startAnvil({
  port = 0,
  chainId = DEFAULT_CHAIN_ID,
  blocks = BLOCK_MS,
  statePath,
}: AnvilOptions = {}): Promise<Anvil> {
  if (statePath) restoreState(statePath)
  const child = spawn(
    anvilBinary(),
    [
      '--host',
      '127.0.0.1',
      '--port',
      `${port}`,
      '--chain-id',
      `${chainId}`,
      '--slots-in-an-epoch',
      '1',
      // Of the states of older blocks than those in memory, a killed anvil leaves gigabytes on disk.
      '--max-persisted-states',
      '0',
      ...(blocks === 'by-transaction' ? [] : ['--block-time', String(blocks / 1_000)]),
      ...(statePath ? ['--state', statePath, '--state-interval', '1'] : []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const copying = statePath && setInterval(() => copyState(statePath), COPY_EVERY_MS).unref()
  void exited.then(() => copying && clearInterval(copying))
  endWithParent(child, 'SIGTERM')

  const stop = async () => {
    await stopProcess(child)
    await exited
  }

  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    const onOutput = (chunk: Buffer) => {
      output += chunk
      const [, address] = /Listening on (\S+)/.exec(output) ?? []
      if (!address) return
      // Anvil logs every block: keep draining the pipes, or a full pipe would block it.
      for (const stream of [child.stdout, child.stderr]) stream.off('data', onOutput).resume()
      resolve(`http://${address}`)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`anvil ended with code ${code}:\n${output}`)))
  })
  return { url, pid: child.pid!, exited, stop }
}

/**
 * Anvil writes its state in place: killed meanwhile, it leaves a file that it cannot read. The last whole copy replaces
 * it.
 */
function restoreState(statePath: string) {
  if (existsSync(statePath) && !isWhole(statePath) && existsSync(copyOf(statePath)))
    copyFileSync(copyOf(statePath), statePath)
}

function copyState(statePath: string) {
  if (!existsSync(statePath)) return
  const unchecked = `${copyOf(statePath)}.tmp`
  try {
    copyFileSync(statePath, unchecked)
    if (isWhole(unchecked)) renameSync(unchecked, copyOf(statePath))
  } catch {
    // A full disk, for example. The former copy stays, and the next one is made in time.
  }
}

const copyOf = (statePath: string) => `${statePath}.copy`

function isWhole(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'))
    return true
  } catch {
    return false
  }
}

/** The platform's binary itself: the package's script would add a process in between. */
function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  const binary = createRequire(wrapper).resolve(`@foundry-rs/anvil-${process.platform}-${arch}/package.json`)
  return join(dirname(binary), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
}
