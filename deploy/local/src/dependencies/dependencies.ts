import { fork } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { DataDir } from '@nifty/testkit/data-dir'

/** Which dependencies to start: those that no environment variable names. */
export type DependencyOptions = {
  folder: string
  postgres: boolean
  /** Before that PostgreSQL. */
  pooler: boolean
  chain?: { blockMs: number }
  mailbox: boolean
  kafka: boolean
  redis: boolean
  objectStorage: boolean
  processor?: { secretKey: string; webhookSecret: string; webhookUrl: string }
}

/** Addresses of the dependencies that were started. */
export type Dependencies = {
  postgresUrl?: string
  poolerUrl?: string
  chainRpcUrl?: string
  chainPid?: number
  processorUrl?: string
  mailboxUrl?: string
  smtpUrl?: string
  kafkaBrokers?: string
  redisUrl?: string
  /** `UPLOADS_URL` and its credentials. */
  objectStorage?: Record<string, string>
}

/** The message of the child process. */
export type DependencyMessage = { started: Dependencies } | { failed: string }

/** More than it takes to give up by itself; then it is killed, and its servers end with it. */
const STOP_WITHIN_MS = 15_000

export type StartingDependencies = ReturnType<typeof forkDependencies>

/**
 * The child process in which `start` starts the dependencies (database server, chain, card sandbox, mailbox …). It
 * exits with this process, even after a SIGKILL. It is detached so that Ctrl-C does not reach it: the store stops
 * first. `stop` ends it at any time; it waits for what is still starting and stops that.
 */
export function forkDependencies(dataDir: DataDir) {
  const logFile = dataDir.file('dependencies.log')
  const log = openSync(logFile, 'a')
  const child = fork(join(import.meta.dirname, 'main.ts'), [], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  closeSync(log)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    pid: child.pid!,
    logFile,
    exited,
    start: (options: DependencyOptions) =>
      new Promise<Dependencies>((resolve, reject) => {
        child.once('exit', (code) =>
          reject(new Error(`The dependencies of the store did not start (code ${code}); see ${logFile}`)),
        )
        child.once('message', (message: DependencyMessage) => {
          if ('started' in message) resolve(message.started)
          else reject(new Error(message.failed))
        })
        child.send(options)
      }),
    stop: async () => {
      if (child.connected) child.disconnect()
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
      await exited
      clearTimeout(late)
    },
  }
}

/** The process of the dependencies, and their addresses. */
export type RunningDependencies = StartingDependencies & Dependencies
