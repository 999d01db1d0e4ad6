import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../../repo-rules/tree.ts'
import type { Variables } from './container.ts'

type Compose = { services: Record<string, { environment?: Record<string, string | number | boolean> }> }

/**
 * The variables that `deploy/compose.yaml` of a tree gives a component, with the addresses of a store on this machine.
 * `addresses`: host and port by those in the file; `given`: what the file takes from the shell. Without an address of
 * Kafka events go by PostgreSQL, and without one of Redis each process has its own cache.
 */
export function composeVariables(
  component: string,
  { addresses, given, tree = root }: { addresses: Variables; given: Variables; tree?: string },
): Variables {
  const compose: Compose = parse(readFileSync(join(tree, 'deploy/compose.yaml'), 'utf8'), { merge: true })
  const interpolated = (text: string) =>
    text.replace(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_all, name, otherwise = '') => given[name] || otherwise)
  const moved = (text: string) =>
    text.replace(/(?<=^|[/@])([a-z]+:\d+)/g, (_all, address) => {
      if (!addresses[address]) throw new Error(`deploy/compose.yaml has an address that is not known here: ${address}`)
      return addresses[address]
    })
  const { environment = {} } = compose.services[component]!
  const isAbsent = (name: string) =>
    (name.startsWith('KAFKA_') && !addresses['kafka:9092']) || (name === 'REDIS_URL' && !addresses['redis:6379'])
  return Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => !isAbsent(name))
      .map(([name, value]) => [name, moved(interpolated(String(value)))]),
  )
}
