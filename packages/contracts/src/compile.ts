import { createHash, randomUUID } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { JsonFragment } from 'ethers'

/** `bytecode` is the creation code, 0x-prefixed. */
type Artefact = { abi: JsonFragment[]; bytecode: string }
type CompiledContracts = Record<string, Artefact>
type CompilerMessage = { severity: string; formattedMessage: string; sourceLocation?: { file: string } }
type Output = {
  errors?: CompilerMessage[]
  contracts: Record<string, Record<string, { abi: Artefact['abi']; evm: { bytecode: { object: string } } }>>
}

const folder = join(import.meta.dirname, '../solidity')
const require = createRequire(import.meta.url)

/** Of the compiler, for deployments and analyses. */
export const compilerSettings = {
  optimizer: { enabled: true, runs: 1000 },
  // Polygon supports Cancun (transient storage) since its Napoli upgrade.
  evmVersion: 'cancun',
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
}

/**
 * Compiles contracts of `packages/contracts/solidity`; the result is by contract name. With `cacheDir` it is cached
 * there by the hash of all inputs. For tests: a running service uses `abi.ts`, and a deployment `bytecode.json`.
 */
export async function compileContracts({
  cacheDir,
  sources = ['NiftyCollection.sol', 'NiftyDelivery.sol'],
}: {
  cacheDir?: string
  sources?: string[]
} = {}): Promise<CompiledContracts> {
  const cached = cacheDir && join(cacheDir, `contracts-${hashOf(sources)}.json`)
  const known = cached && readCached(cached)
  if (known) return known

  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      sources.map((name) => [name, { content: readFileSync(join(folder, name), 'utf8') }] as const),
    ),
    settings: compilerSettings,
  }
  const contracts = artefactsOf(JSON.parse(await runCompiler(input)), sources)
  if (cached) writeCached(cached, contracts)
  return contracts
}

function artefactsOf(output: Output, sources: string[]): CompiledContracts {
  // Warnings in our sources are errors: a deployed contract cannot be changed.
  const messages = (output.errors ?? []).filter(
    ({ severity, sourceLocation }) => severity === 'error' || !sourceLocation?.file.startsWith('@openzeppelin/'),
  )
  if (messages.length > 0) throw new Error(messages.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return Object.fromEntries(
    sources.flatMap((source) =>
      Object.entries(output.contracts[source] ?? {}).map(([name, { abi, evm }]) => [
        name,
        { abi, bytecode: `0x${evm.bytecode.object}` },
      ]),
    ),
  )
}

function runCompiler(input: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./solc-worker.ts', import.meta.url), {
      workerData: { folder, input },
      execArgv: [],
    })
    worker.once('message', (output: string) => {
      resolve(output)
      void worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The Solidity compiler stopped without a result')))
  })
}

function hashOf(sources: string[]): string {
  const hash = createHash('sha256')
  const versions = ['solc', '@openzeppelin/contracts'].map((name) => require(`${name}/package.json`).version)
  hash.update(JSON.stringify({ settings: compilerSettings, sources, versions }))
  for (const file of globSync('**/*.sol', { cwd: folder }).sort())
    hash.update(`\n${file}\n`).update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 16)
}

/** A file that a killed process left truncated is ignored. */
function readCached(file: string): CompiledContracts | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function writeCached(file: string, contracts: CompiledContracts) {
  const parent = join(file, '..')
  mkdirSync(parent, { recursive: true })
  const draft = join(parent, `${basename(file)}.${randomUUID()}`)
  writeFileSync(draft, JSON.stringify(contracts))
  renameSync(draft, file)
}
