import { flushCompileCache } from 'node:module'
import { ExpectedError } from '../base/errors.ts'

/** Functions that an image process runs, by name. Arguments and results are copied between the processes. */
export type ImageJobs = Record<string, (...args: any[]) => Promise<unknown>>

export type ImageRequest = { id: number; name: string; args: unknown[] }
/** `refusal`: of the image; each is a 400. `error`: any other that the job threw. */
export type ImageResponse = {
  id: number
  result?: unknown
  refusal?: { code: string; message: string }
  error?: unknown
}

/**
 * The whole of an image process beside its jobs: runs what the parent requests, and ends with it, also after a SIGKILL
 * of the parent.
 */
export function serveImageJobs(jobs: ImageJobs) {
  process.on('message', async ({ id, name, args }: ImageRequest) => {
    const response: ImageResponse = await jobs[name]!(...args).then(
      (result) => ({ id, result }),
      (error: unknown) => ({ id, ...failureOf(error) }),
    )
    process.send?.(response)
  })
  // A signal to the whole process group: the parent completes its requests, then disconnects.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  process.once('disconnect', () => {
    // `process.exit` does this too, but waits for the image that a thread decodes.
    flushCompileCache()
    process.kill(process.pid, 'SIGKILL')
  })
}

function failureOf(error: unknown) {
  if (!(error instanceof ExpectedError)) return { error }
  const { code, message } = error
  return { refusal: { code, message } }
}
