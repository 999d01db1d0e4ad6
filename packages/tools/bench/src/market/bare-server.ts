import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { startProgram } from '../processes/start-program.ts'
import type { RecordedAnswer } from './bare.ts'

/** The bytes as they are sent: `fetch` would unpack them. */
export async function recordAnswer(
  url: string,
  path: string,
  requestHeaders: Record<string, string>,
): Promise<RecordedAnswer> {
  const [answer] = await once(get(`${url}${path}`, { headers: requestHeaders }), 'response')
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...headers } = answer.headers
  const body = (await buffer(answer)).toString('base64')
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
  return { path, headers, body }
}

/** Starts the bare Fastify process with these responses, in both encodings where both are given. */
export async function startBare(file: string, answers: RecordedAnswer[]) {
  await writeFile(file, JSON.stringify(answers))
  const { output: url, ...program } = await startProgram(join(import.meta.dirname, 'bare.ts'), file)
  return { url, ...program }
}
