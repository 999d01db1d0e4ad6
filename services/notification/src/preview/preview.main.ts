/**
 * Shows every mail with invented content, for `npx pnpm dev`, and writes layout.html when layout.mjml has changed.
 * Arguments: port; folder of pictures.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import fastify from 'fastify'
import { readConfig } from '../config.ts'
import { renderHtml, renderText } from '../mails/email-layout.ts'
import { compiledLayout, compileLayout } from './compile-layout.ts'
import { previewPage } from './page.ts'
import { mailSamples } from './samples.ts'

const [port = '5174', folder] = process.argv.slice(2)

const compiled = await compileLayout()
if (compiled !== readFileSync(compiledLayout, 'utf8')) writeFileSync(compiledLayout, compiled)

const { store } = readConfig({ MAIL_TOKEN_KEY: 'x'.repeat(32), SMTP_URL: 'smtp://127.0.0.1', ...process.env })
const files = folder ? readdirSync(folder).filter((file) => /\.(jpe?g|png|webp|avif)$/.test(file)) : []
const pictures = files.map((file) => `/pictures/${encodeURIComponent(file)}`)
const samples = mailSamples(store, pictures)
const startedAt = String(Date.now())

const app = fastify()
app.get('/', (_request, reply) => reply.type('text/html').send(previewPage(Object.keys(samples), startedAt)))
/** The page reloads when this changes. */
app.get('/started-at', () => startedAt)
app.get<{ Params: { name: string } }>('/mails/:name', ({ params }, reply) => {
  const content = samples[params.name]
  if (!content) return reply.code(404).send('Not found')
  return reply.type('text/html').send(renderHtml(content, store))
})
app.get<{ Params: { name: string } }>('/texts/:name', ({ params }, reply) => {
  const content = samples[params.name]
  if (!content) return reply.code(404).send('Not found')
  return reply.type('text/plain').send(`Subject: ${content.subject}\n\n${renderText(content, store)}`)
})
app.get<{ Params: { file: string } }>('/pictures/:file', async ({ params }, reply) => {
  const file = files.find((each) => each === basename(params.file))
  if (!file) return reply.code(404).send('Not found')
  return reply.type(`image/${extname(file).slice(1).replace('jpg', 'jpeg')}`).send(await readFile(join(folder!, file)))
})
process.stdout.write(`mails: ${await app.listen({ host: '127.0.0.1', port: Number(port) })}\n`)
