import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const DEFAULT_CHAIN_ID = 31337

/** `stop` resolves when the process is gone; a second call does nothing. `gone` tells of an end, whoever caused it. */
export type Anvil = { url: string; pid: number; gone: Promise<void>; stop: () => Promise<void> }

/**
 * Starts an anvil of our own on a free port of this machine. Two blocks after its own a block is final. By default
 * a block comes every second; with `blocks: 'by-transaction'` each transaction makes one at once, which tests prefer.
 * `statePath` keeps the chain on disk (written every second), so that it survives its process.
 */
export async function startAnvil({
  port = 0,
  chainId = DEFAULT_CHAIN_ID,
  blocks = 'by-second',
  statePath,
}: {
  port?: number
  chainId?: number
  blocks?: 'by-second' | 'by-transaction'
  statePath?: string
} = {}): Promise<Anvil> {
  const child = spawn(
    anvilBinary(),
    [
      ...['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`, '--slots-in-an-epoch', '1'],
      ...(blocks === 'by-second' ? ['--block-time', '1'] : []),
      ...(statePath ? ['--state', statePath, '--state-interval', '1'] : []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  // It would outlive its parent otherwise.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)

  const stop = async () => {
    process.off('exit', kill)
    child.kill('SIGTERM')
    await gone
  }

  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    const listen = (chunk: Buffer) => {
      said += chunk
      const [, address] = /Listening on (\S+)/.exec(said) ?? []
      if (!address) return
      // It goes on talking about every block; read on, or it would stop at a full pipe, but keep nothing.
      for (const stream of [child.stdout, child.stderr]) stream.off('data', listen).resume()
      resolve(`http://${address}`)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`anvil ended with code ${code}:\n${said}`)))
  })
  return { url, pid: child.pid!, gone, stop }
}

/** The platform's own binary: the package's script would put a second process between it and us. */
function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  const binary = createRequire(wrapper).resolve(`@foundry-rs/anvil-${process.platform}-${arch}/package.json`)
  return join(dirname(binary), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
}
