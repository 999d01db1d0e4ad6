import { getText } from '@nifty/api/content'
import type { Content } from '@nifty/content/content'
import { notFound } from '@nifty/service-kit/base/errors'
import type { FastifyPluginAsync } from 'fastify'
import { sendCompressed } from './send-compressed.ts'

/**
 * The shop's texts. A response to the address with the hash of this text never changes; another hash is of a gateway of
 * another release, or of a page that was opened before a change: it gets the present text, which no cache keeps.
 */
export const contentRoutes: FastifyPluginAsync<{ content: Content }> = async (app, { content }) => {
  const texts = new Map(Object.entries(content.texts).map(([name, text]) => [name, JSON.stringify(text)]))
  const hashes = new Map(Object.entries(content.hashes))

  app.get<{ Params: { name: string }; Querystring: { v?: string } }>(getText.path, async (request, reply) => {
    const { name } = request.params
    const text = texts.get(name)
    if (text === undefined) throw notFound('not_found', 'Not found')
    const isThis = request.query.v === hashes.get(name)
    reply.header('cache-control', isThis ? 'public, max-age=31536000, immutable' : 'no-cache')
    return sendCompressed(request, reply.type('application/json; charset=utf-8'), text)
  })
}
