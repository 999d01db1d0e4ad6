import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../repo-rules/tree.ts'

export type Variable = { name: string; needed: boolean }

/** The gateway, too. */
const everyPart = ['packages/service-kit/src/traces/open-traces.ts']
const everyService = ['packages/service-kit/src/run-alone.ts', 'packages/service-kit/src/messaging/kafka/settings.ts']

/** The variables that a part reads, from its own words. `needed` is one without which it refuses to start. */
export function variablesOf(part: string): Variable[] {
  const own = part === 'gateway' ? 'gateway/src/config.ts' : `services/${part}/src/config.ts`
  return [own, ...everyPart, ...(part === 'gateway' ? [] : everyService)].flatMap((file) => {
    const [, declared] =
      /const Env = Type\.Object\(\{\n([\s\S]*?)\n\}\)/.exec(readFileSync(join(root, file), 'utf8')) ?? []
    if (!declared) throw new Error(`${file} does not say which variables it reads`)
    // One entry ends where the next one begins.
    return declared.split(/\n(?= {2}[A-Z])/).map((entry) => {
      const [, name] = /^\s*(?:\/\*\*[\s\S]*?\*\/\s*)?([A-Z][A-Z0-9_]*):/.exec(entry) ?? []
      if (!name) throw new Error(`${file}: what does this read? ${entry}`)
      return { name, needed: !/Type\.Optional|default:/.test(entry) }
    })
  })
}
