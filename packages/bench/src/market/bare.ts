import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'

/** The baseline: Fastify that sends prepared bytes. The file holds responses recorded from a store. */
export type StoredAnswer = { path: string; headers: Record<string, string>; body: string }

const answers: StoredAnswer[] = JSON.parse(await readFile(process.argv[2]!, 'utf8'))
const app = Fastify()
for (const { path, headers, body } of answers) {
  const bytes = Buffer.from(body, 'base64')
  const { 'content-length': _, ...unchanged } = headers
  app.get(path.split('?', 1)[0]!, (request, reply) => {
    const isKnown = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag
    return isKnown ? reply.code(304).headers(unchanged).send() : reply.headers(headers).send(bytes)
  })
}
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
