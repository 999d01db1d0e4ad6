import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { API_PREFIX, ASSETS_PREFIX, type Store, UPLOADS_PREFIX } from '@nifty/api/gateway'
import { pages } from '@nifty/api/pages'
import type { Content } from '@nifty/content/content'
import type { Branding } from '@nifty/service-kit/base/branding'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderDocument } from './document.ts'
import { none } from './entry-pages.ts'
import { missing } from './pages.ts'

const prefixesOfOthers = [API_PREFIX, UPLOADS_PREFIX, ASSETS_PREFIX]
/** An address that no page has, or that cannot be read. */
const statuses = [400, 404, 414]

/** True for an invalid address of a document that a browser requests: the response is the error page, and no JSON. */
export const needsErrorPage = ({ method, url, headers }: FastifyRequest, status: number | undefined): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  statuses.includes(status ?? 0) &&
  Boolean(headers.accept?.includes('text/html')) &&
  !prefixesOfOthers.some((prefix) => url.startsWith(prefix))

/** `root`: the built front end. */
type Options = { root: string; publicUrl: string; store: Store; branding: Branding; content: Content }

/** Returns a function that sends the error page as a document. */
export async function createErrorPage({ root, publicUrl, store, branding, content }: Options) {
  const template = await readFile(join(root, 'index.html'), 'utf8')
  const place = { url: pages.error.path, publicUrl, store, branding, content, entry: none }
  const document = renderDocument(template, missing(pages.error.title), place)
  return (reply: FastifyReply, status: number) =>
    reply.code(status).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(document)
}
