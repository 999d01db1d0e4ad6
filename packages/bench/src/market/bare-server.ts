import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
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
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const url = await Promise.race([once(child.stdout, 'data'), closed.then(() => undefined)])
  if (!url) throw new Error(`the bare server ended with code ${child.exitCode}`)
  return {
    url: String(url[0]).trim(),
    pid: child.pid!,
    stop: async () => {
      child.kill()
      await closed
    },
  }
}
