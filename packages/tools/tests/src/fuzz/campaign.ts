import { getDocs } from '@nifty/api/gateway'
import type { RunFile } from '@nifty/testkit/run-file'
import { accounts, callers, createCallers, isAccount } from './callers.ts'
import { faultsOf } from './check.ts'
import { type OpenApiDocument, operationAt, operationsOf } from './document.ts'
import { createDraw } from './draw.ts'
import { createRequest } from './requests.ts'
import { createSeen } from './seen.ts'
import { type Answer, asCurl, type FuzzRequest, send } from './send.ts'

export type Failure = { operation: string; faults: string[]; curl: string; answer: string }

export type Report = {
  requests: number
  failures: Failure[]
  /** How often each operation responded with each status. */
  statuses: Map<string, Map<number, number>>
}

/** Requests that are open at the same time. */
const AT_ONCE = 8

/**
 * Sends requests that are made from the store's OpenAPI document: every operation with every caller in turn. The same
 * seed makes the same requests, except for ids, which each store assigns itself.
 */
export async function fuzz(store: { run: RunFile; folder: string }, options: { requests: number; seed: number }) {
  const { url } = store.run
  const document = (await (await fetch(url + getDocs.path)).json()) as OpenApiDocument
  const operations = operationsOf(document)
  const people = await createCallers(store)
  const seen = createSeen()
  for (const account of accounts) {
    const { userId, email, password, username } = people.user(account)
    seen.read({ _id: userId, userId, email, password, username }, { resource: 'users' })
    seen.owners.set(userId, account)
  }
  const tools = createDraw(options.seed)
  const report: Report = { requests: 0, failures: [], statuses: new Map() }
  const turns = operations.flatMap((operation) => callers.map((caller) => ({ operation, caller })))

  while (report.requests < options.requests) {
    const batch = Array.from({ length: Math.min(AT_ONCE, options.requests - report.requests) }, (_, place) => {
      const turn = turns[(report.requests + place) % turns.length]!
      return { ...turn, request: createRequest(tools, { ...turn, seen, callers: people }) }
    })
    report.requests += batch.length
    const answers = await Promise.all(batch.map(({ request }) => send(url, request).catch((error: Error) => error)))
    for (const [place, { request, operation, caller }] of batch.entries()) {
      const answer = answers[place]!
      note(report, { request, answer, name: operation.name })
      if (answer instanceof Error) continue
      if (isAccount(caller) && hasEndedSession(request, answer)) {
        const { userId } = (await people.renew(caller)).get(caller)!
        seen.owners.set(userId, caller)
        seen.remember('id of users', userId)
      }
    }
  }
  return report

  function note(to: Report, sent: { request: FuzzRequest; answer: Answer | Error; name: string }) {
    const { request, answer, name } = sent
    const faults =
      answer instanceof Error ? [`no answer: ${answer.message}`] : faultsOf(request, answer, { operations, seen })
    if (faults.length > 0) {
      const shown =
        answer instanceof Error
          ? ''
          : `${answer.status} ${answer.body
              .toString()
              .replace(/[^ -~]/g, '.')
              .slice(0, 300)}`
      to.failures.push({ operation: name, faults, curl: asCurl(url, request), answer: shown })
    }
    if (answer instanceof Error) return
    const counts = to.statuses.get(name) ?? new Map<number, number>()
    to.statuses.set(name, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1))
    if (answer.status >= 300) return
    const at = operationAt(operations, request.method, request.path.split('?')[0]!)
    const isPrivate = at && at.access !== 'public' && at.access !== 'optional'
    const json = answer.headers['content-type']?.startsWith('application/json')
    if (at && json)
      seen.read(JSON.parse(answer.body.toString()), {
        resource: at.segments[1] ?? '',
        ...(isPrivate && isAccount(request.caller) && { caller: request.caller }),
      })
  }
}

/** The session is over once the caller logged out, changed its password or deleted the account. */
const hasEndedSession = ({ method, path }: FuzzRequest, { status }: Answer) =>
  status === 401 || (status < 300 && (method === 'DELETE' || /\/(logout|change-password)$/.test(path)))
