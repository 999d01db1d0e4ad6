import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'

/** The baseline: Fastify that sends prepared bytes. The file holds responses recorded from a store. */
export type RecordedAnswer = { path: string; headers: Record<string, string>; body: string }

const recorded: RecordedAnswer[] = JSON.parse(await readFile(process.argv[2]!, 'utf8'))
const app = Fastify()
for (const [path, answers] of Map.groupBy(recorded, ({ path }) => path.split('?', 1)[0]!)) {
  const prepared = answers.map(({ headers, body }) => {
    const { 'content-length': _, ...unchanged } = headers
    return { encoding: headers['content-encoding'], headers, unchanged, bytes: Buffer.from(body, 'base64') }
  })
  const plain = prepared.find(({ encoding }) => !encoding)
  const packed = prepared.find(({ encoding }) => encoding)
  app.get(path, (request, reply) => {
    const acceptsPacked = packed && request.headers['accept-encoding']?.includes(packed.encoding!)
    const { headers, unchanged, bytes } = (acceptsPacked ? packed : plain) ?? prepared[0]!
    const isKnown = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag
    return isKnown ? reply.code(304).headers(unchanged).send() : reply.headers(headers).send(bytes)
  })
}
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
