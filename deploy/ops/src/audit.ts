import { listFailedLogIns } from '@nifty/api/auth/ops'
import { parseLookup } from '@nifty/api/lookup'
import { listActions, type OperatorActionEntry } from '@nifty/api/operator-actions'
import { listSecurityEvents, type SecurityEvent } from '@nifty/api/security-events'
import { type ServiceName, serviceNames } from '@nifty/api/services'
import { type Command, type Report, uuid } from './command.ts'
import { printable, table } from './format.ts'
import { accountIdOf, itemIdOf, orderIdOf } from './lookup.ts'
import { fromAll, type Store, UsageError } from './store.ts'

type Filter = { user?: string; address?: string; kind?: string }

/** An id, an IP address, or a kind such as `log_in`. */
export function parseFilter(words: string[]): Filter {
  const filter: Filter = {}
  for (const word of words) {
    const name = uuid.test(word) ? 'user' : /[.:]/.test(word) ? 'address' : 'kind'
    if (filter[name]) throw new UsageError(`Two filters by ${name}: ${filter[name]} and ${word}`)
    filter[name] = word
  }
  return filter
}

/** The kind of security events that are commands of operators. */
const OPERATOR_KIND = 'operator'

/** The ids of accounts, orders and works in place of what people see of them. */
const withIds = (store: Store, words: string[]): Promise<string[]> =>
  Promise.all(
    words.map(async (word) => {
      const { kind } = parseLookup(word)
      if (kind === 'email' || kind === 'username') return accountIdOf(store, word)
      if (kind === 'order_number' || kind === 'payment' || kind === 'transaction') return orderIdOf(store, word)
      return kind === 'token' ? itemIdOf(store, word) : word
    }),
  )

export const auditCommand: Command = {
  usage: '[account, order, work, id, address or kind] [another] [another]',
  json: true,
  about:
    'prints security events and operators’ actions of all services, newest last: who, what, on which object, why, from where, with which outcome',
  since: 'optional',
  options: { '--by-address': 'counts the failed log-ins of the last hour, or `--since` then, by IP address' },
  run: async (store, words, _action, since, options = {}) => {
    if (options.byAddress) return failedLogIns(store, words, since)
    const filter = parseFilter(await withIds(store, words))
    const from = since && { since: since.toISOString() }
    const events = await fromAll(serviceNames, (name) =>
      store[name](listSecurityEvents, { query: { ...filter, ...from } }),
    )
    const actions = await actionsOf(store, filter, from)
    const rows = [
      ...events.found.flatMap(([service, found]) => found.events.map((event) => eventRow(service, event))),
      ...actions.found.flatMap(([service, found]) => found.actions.map((action) => actionRow(service, action))),
    ].sort(([one = ''], [other = '']) => one.localeCompare(other))
    const head = [
      'time',
      'service',
      'kind',
      'outcome',
      'count',
      'operator',
      'object',
      'address',
      'session',
      'route or reason',
    ]
    const failures = [...new Set([...events.failures, ...actions.failures])]
    const text = rows.length > 0 ? table([head, ...rows]) : 'No security event and no action matches.'
    const json = {
      events: events.found.flatMap(([service, found]) => found.events.map((event) => ({ service, ...event }))),
      actions: actions.found.flatMap(([service, found]) => found.actions.map((action) => ({ service, ...action }))),
      failures,
    }
    return { text: [text, ...failures].join('\n'), ok: failures.length === 0, json }
  },
}

const HOUR_MS = 3_600_000

/** Where guessed passwords come from, and which accounts were entered from there. */
async function failedLogIns(store: Store, words: string[], since = new Date(Date.now() - HOUR_MS)): Promise<Report> {
  if (words.some((word) => word !== 'log_in')) throw new UsageError('--by-address counts log-ins only, of all accounts')
  const json = await store.auth(listFailedLogIns, { query: { since: since.toISOString() } })
  const { addresses, addressesInAll, accountsInAll } = json
  if (addresses.length === 0) return { text: `No log-in has failed since ${since.toISOString()}.`, ok: true, json }
  const rows = addresses.map(({ address, failed, accounts, entered }) =>
    [address, String(failed), String(accounts), entered.join(' ') || '-'].map(printable),
  )
  const sum = `In all since ${since.toISOString()}: addresses ${addressesInAll}, accounts ${accountsInAll}.`
  return { text: [table([['address', 'failed', 'accounts', 'entered'], ...rows]), sum].join('\n'), ok: true, json }
}

/** The audit log has no addresses. */
async function actionsOf(store: Store, { user, address, kind }: Filter, from?: { since: string }) {
  if (address) return { found: [], failures: [] }
  const query = { ...(user && { subject: user }), ...(kind && kind !== OPERATOR_KIND && { word: kind }), ...from }
  return fromAll(serviceNames, (name) => store[name](listActions, { query }))
}

const eventRow = (
  service: ServiceName,
  { at, kind, outcome, count, operator, userId, address, sessionId, route }: SecurityEvent,
) =>
  [at, service, kind, outcome, String(count), operator ?? '-', userId ?? '-', address, sessionId ?? '-', route].map(
    printable,
  )

const actionRow = (service: ServiceName, { at, action, operator, subject, reason }: OperatorActionEntry) =>
  [at, service, action, 'done', '1', operator, subject, '-', '-', reason].map(printable)
