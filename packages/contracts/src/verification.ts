import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path/posix'
import { compilerSettings } from './compile.ts'

const folder = join(import.meta.dirname, '../solidity')
const require = createRequire(import.meta.url)

/** The contracts of a deployment, as files of `packages/contracts/solidity`. */
export const deployedSources = ['NiftyCollection.sol', 'NiftyDelivery.sol']

/**
 * The compiler's standard JSON input of both contracts with every source in it, from which an explorer (Etherscan,
 * Sourcify) compiles what is on the chain. Throws where `@openzeppelin/contracts` is not installed: in an image.
 */
export function verificationInput() {
  const sources: Record<string, { content: string }> = {}
  const add = (name: string) => {
    if (sources[name]) return
    const isOurs = !name.startsWith('@')
    const content = readFileSync(isOurs ? join(folder, name) : require.resolve(name), 'utf8')
    sources[name] = { content }
    for (const [, path = ''] of content.matchAll(/^import [^;]*?"([^"]+)";/gm))
      add(path.startsWith('.') ? join(dirname(name), path) : path)
  }
  for (const name of deployedSources) add(name)
  return { language: 'Solidity', sources, settings: compilerSettings }
}
