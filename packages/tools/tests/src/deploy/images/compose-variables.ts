import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../../repo-rules/tree.ts'
import type { Variables } from './container.ts'

type Compose = { services: Record<string, { environment?: Record<string, string | number | boolean> }> }

const compose: Compose = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true })

/**
 * The variables that `deploy/compose.yaml` gives a component, with the addresses of a store on this machine.
 * `addresses`: host and port by those in the file; `given`: what the file takes from the shell.
 */
export function composeVariables(
  component: string,
  { addresses, given }: { addresses: Variables; given: Variables },
): Variables {
  const interpolated = (text: string) =>
    text.replace(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_all, name, otherwise = '') => given[name] || otherwise)
  const moved = (text: string) =>
    text.replace(/(?<=[/@])([a-z]+:\d+)/g, (_all, address) => {
      if (!addresses[address]) throw new Error(`deploy/compose.yaml has an address that is not known here: ${address}`)
      return addresses[address]
    })
  const { environment = {} } = compose.services[component]!
  return Object.fromEntries(
    Object.entries(environment)
      // Events go by PostgreSQL, and each process has its own cache.
      .filter(([name]) => !/^(KAFKA_|REDIS_URL$)/.test(name))
      .map(([name, value]) => [name, moved(interpolated(String(value)))]),
  )
}
