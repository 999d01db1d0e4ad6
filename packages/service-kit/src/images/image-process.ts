import { type ChildProcess, fork } from 'node:child_process'
import { invalid, unavailable } from '../base/errors.ts'
import type { Log } from '../base/logs.ts'
import { createSemaphore, type Order } from '../base/semaphore.ts'
import type { ImageJobs, ImageRequest, ImageResponse } from './image-jobs.ts'

/** Each job takes one core. */
const CONCURRENT_JOBS = 2
const IDLE_MS = 10_000
/** Far above the slowest image: it ends a decoder that hangs. */
const JOB_LIMIT_MS = 60_000
/** Settings of Node and malloc, and no secrets: this process decodes what strangers send. */
const PASSED_ENV = /^(NODE_|MALLOC_|UV_|LD_|PATH$|TMPDIR$)/

type Options = {
  /** A module that calls `serveImageJobs`. */
  program: string
  log: Log
  /** Jobs that wait for a place, and of one account; more get 429. */
  maxWaiting?: number
  maxWaitingPerAccount?: number
  idleMs?: number
  jobLimitMs?: number
}

/** An argument, or a function that reads it as soon as its job has a place, so that what waits has no bytes. */
type Given<Args extends unknown[]> = { [Index in keyof Args]: Args[Index] | (() => Promise<Args[Index]>) }

export type ImageProcess<Jobs extends ImageJobs> = ReturnType<typeof createImageProcess<Jobs>>

/**
 * Decodes and encodes images in a child process, which starts with the first job and ends when it was idle for ten
 * seconds: libvips, and the memory that it fragments, are never in the service's own process. A child that ends in the
 * middle of a job (libvips crashed, memory was short, the time limit) fails its jobs alone.
 */
export function createImageProcess<Jobs extends ImageJobs>(options: Options) {
  const { program, log, maxWaiting, maxWaitingPerAccount, idleMs = IDLE_MS, jobLimitMs = JOB_LIMIT_MS } = options
  const semaphore = createSemaphore({
    concurrency: CONCURRENT_JOBS,
    maxWaiting,
    maxWaitingPerClient: maxWaitingPerAccount,
  })
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let [running, lastId] = [0, 0]
  let stopped = false

  const disconnect = () => {
    if (child?.connected) child.disconnect()
  }
  const usableChild = () => {
    if (!child?.connected || child.killed) child = start(program)
    return child
  }

  async function runJob(request: ImageRequest): Promise<ImageResponse> {
    if (stopped) throw notProcessed()
    clearTimeout(idle)
    running++
    try {
      return await responseOf(usableChild(), request, jobLimitMs)
    } catch (error) {
      log.warn({ err: error, job: request.name }, 'image process: ended during a job, the next job starts another')
      throw notProcessed()
    } finally {
      running--
      if (running === 0) idle = setTimeout(disconnect, idleMs)
    }
  }

  async function resultOf(name: string, given: unknown[]) {
    const args = await Promise.all(given.map((each) => (typeof each === 'function' ? each() : each)))
    const { result, refusal, error } = await runJob({ id: ++lastId, name, args })
    if (refusal) throw invalid(refusal.code, refusal.message)
    if (error) throw error
    return result
  }

  return {
    /**
     * Runs a job as soon as a place is free. `account`: whose share of the queue it waits in; `order`: among all that
     * wait. Rejects with the job's own error (a refused image: 400), 429 while too many wait, 503 `image_not_processed`
     * when the process ended.
     */
    run: <Name extends keyof Jobs & string>(
      { account, order }: { account?: string; order?: Order },
      name: Name,
      ...args: Given<Parameters<Jobs[Name]>>
    ) => semaphore(() => resultOf(name, args), account, order) as ReturnType<Jobs[Name]>,

    /**
     * Ends the process for good, and fails its jobs: `disconnect` would wait for the rest of a response that is read
     * half.
     */
    stop: () => {
      stopped = true
      clearTimeout(idle)
      if (running > 0) child?.kill('SIGKILL')
      else disconnect()
    },
  }
}

const notProcessed = () => unavailable('image_not_processed', 'The image could not be processed, please try again.')

function start(program: string): ChildProcess {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ENV.test(name)))
  // The flag of an image's own process: V8's compiled code is cached by flags.
  return fork(program, [], { env, execArgv: ['--max-semi-space-size=2'], serialization: 'advanced' })
}

function responseOf(child: ChildProcess, request: ImageRequest, limitMs: number): Promise<ImageResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ImageResponse>()
  const onMessage = (response: ImageResponse) => {
    if (response.id === request.id) resolve(response)
  }
  const onExit = (code: number | null, signal: string | null) =>
    reject(new Error(`exit code ${code}, signal ${signal}`))
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs)
  child.on('message', onMessage).once('exit', onExit).once('error', reject)
  child.send(request, (error) => error && reject(error))
  return promise.finally(() => {
    clearTimeout(limit)
    child.off('message', onMessage).off('exit', onExit).off('error', reject)
  })
}
