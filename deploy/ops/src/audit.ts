import { listSecurityEvents, type SecurityEvent } from '@nifty/api/security-events'
import { type ServiceName, serviceNames } from '@nifty/api/services'
import { type Command, uuid } from './command.ts'
import { table } from './format.ts'
import { ServiceDown, UsageError } from './store.ts'

type Filter = { user?: string; address?: string; kind?: string }

/** An account's id, an IP address, or a kind such as `log_in`. */
export function parseFilter(words: string[]): Filter {
  const filter: Filter = {}
  for (const word of words) {
    if (word.includes('@'))
      throw new UsageError(`Security events name accounts by id: pnpm ops account ${word} prints it`)
    const name = uuid.test(word) ? 'user' : /[.:]/.test(word) ? 'address' : 'kind'
    if (filter[name]) throw new UsageError(`Two filters by ${name}: ${filter[name]} and ${word}`)
    filter[name] = word
  }
  return filter
}

export const auditCommand: Command = {
  usage: '[user, address or kind] [another] [another]',
  about: 'prints security events of all services, newest last: who, what, from where, with which outcome',
  since: 'optional',
  run: async (store, words, _action, since) => {
    const query = { ...parseFilter(words), ...(since && { since: since.toISOString() }) }
    const found: (SecurityEvent & { service: ServiceName })[] = []
    const failures: string[] = []
    for (const service of serviceNames) {
      try {
        const { events } = await store[service](listSecurityEvents, { query })
        found.push(...events.map((event) => ({ ...event, service })))
      } catch (error) {
        if (!(error instanceof ServiceDown)) throw error
        failures.push(`${service}: ${error.message}`)
      }
    }
    const rows = found
      .sort((a, b) => a.at.localeCompare(b.at))
      .map(({ at, service, kind, outcome, count, userId, operator, address, sessionId, route }) =>
        [
          at,
          service,
          kind,
          outcome,
          String(count),
          operator ?? '-',
          userId ?? '-',
          address,
          sessionId ?? '-',
          route,
        ].map(printable),
      )
    const head = ['time', 'service', 'kind', 'outcome', 'count', 'operator', 'account', 'address', 'session', 'route']
    const text = rows.length > 0 ? table([head, ...rows]) : 'No security event matches.'
    return { text: [text, ...failures].join('\n'), ok: failures.length === 0 }
  },
}

/** An operator's name is typed by the operator. */
const printable = (cell: string) => cell.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
