import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Manifest, named } from '../chart.ts'
import type { ApiServer } from './server.ts'

type Answer = { status: number; body: any; warnings: string[] }
export type Client = ReturnType<typeof clientOf>

/** Requests to an API server. */
export function clientOf({ url, token, authority }: ApiServer) {
  const plurals = new Map<string, { name: string; namespaced: boolean }>()

  const send = (method: string, path: string, body?: unknown, type = 'application/json') =>
    new Promise<Answer>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': type }
      const sent = request(`${url}${path}`, { method, headers, ca: authority }, async (response) => {
        const text = (await response.setEncoding('utf8').toArray()).join('')
        const isJson = response.headers['content-type']?.includes('json')
        resolve({
          status: response.statusCode!,
          body: isJson ? JSON.parse(text) : text,
          warnings: [response.headers.warning ?? []].flat(),
        })
      })
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })

  /** Path of an object. Throws where the server does not know its kind. */
  async function pathOf({ apiVersion, kind, metadata }: Manifest) {
    const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    if (!plurals.has(`${apiVersion} ${kind}`))
      for (const each of (await send('GET', group)).body.resources ?? [])
        if (!each.name.includes('/')) plurals.set(`${apiVersion} ${each.kind}`, each)
    const known = plurals.get(`${apiVersion} ${kind}`)
    if (!known) throw new Error(`the server does not know ${kind} of ${apiVersion}`)
    const namespace = known.namespaced ? `/namespaces/${metadata.namespace}` : ''
    return `${group}${namespace}/${known.name}/${metadata.name}`
  }

  return {
    send,
    pathOf,

    get: async (manifest: Manifest) => (await send('GET', await pathOf(manifest))).body as Manifest,

    /** Applies on the server, strictly; what it refuses and warns of, a line each. */
    async apply(manifest: Manifest, { dryRun = false } = {}): Promise<string[]> {
      const options = `fieldManager=chart&force=true&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`
      const path = await pathOf(manifest)
      const { status, body, warnings } = await send(
        'PATCH',
        `${path}?${options}`,
        manifest,
        'application/apply-patch+yaml',
      )
      const refused = status >= 300 ? [body.message ?? `${status}`] : []
      return [...refused, ...warnings].map((text) => `${named(manifest)}: ${text}`)
    },

    /** Without the finalizers that a controller would remove. */
    async remove(manifest: Manifest) {
      const path = await pathOf(manifest)
      await send('PATCH', path, { metadata: { finalizers: null } }, 'application/merge-patch+json')
      await send('DELETE', `${path}?propagationPolicy=Background`)
    },

    /** Until the answer to a GET suits; throws after a minute. */
    async until(path: string, suits: (answer: Answer) => boolean) {
      const end = performance.now() + 60_000
      for (;;) {
        const answer = await send('GET', path)
        if (suits(answer)) return answer
        if (performance.now() > end) throw new Error(`${path} is ${answer.status} after a minute`)
        await sleep(200)
      }
    },
  }
}
