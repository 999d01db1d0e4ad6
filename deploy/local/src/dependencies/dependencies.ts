import { fork } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../data-dir.ts'

/** What is to be brought, because no variable names a real one. */
export type OutsideOptions = {
  folder: string
  postgres: boolean
  chain: boolean
  mailbox: boolean
  kafka: boolean
  redis: boolean
  processor?: { secretKey: string; webhookSecret: string; webhookUrl: string }
}

/** Where the parts are reached; a part that was not asked for is absent. */
export type Outside = {
  postgresUrl?: string
  chainRpcUrl?: string
  chainPid?: number
  processorUrl?: string
  mailboxUrl?: string
  smtpUrl?: string
  kafkaBrokers?: string
  redisUrl?: string
}

/** What the process says: the parts that the store needs, then that all is up; or why not. */
export type OutsideMessage = { parts: Outside } | { complete: true } | { failed: string }

export type RunningOutside = Awaited<ReturnType<typeof startOutside>>

/**
 * Starts what is not the store in a process of its own: database server, chain, card processor, mailbox. It ends when
 * this process does, however that happens, and it hears no Ctrl-C of its own: the store stops first.
 */
export async function startOutside(home: Home, options: OutsideOptions) {
  const log = openSync(home.file('outside.log'), 'a')
  const child = fork(join(import.meta.dirname, 'main.ts'), [], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const said = <Key extends 'parts' | 'complete'>(key: Key) =>
    new Promise<Extract<OutsideMessage, Record<Key, unknown>>>((resolve, reject) => {
      child.once('exit', (code) =>
        reject(new Error(`The parts around the store did not start (code ${code}); see ${home.file('outside.log')}`)),
      )
      child.on('message', (message: OutsideMessage) => {
        if (key in message) resolve(message as Extract<OutsideMessage, Record<Key, unknown>>)
        else if ('failed' in message) reject(new Error(message.failed))
      })
    })
  const complete = said('complete').then(() => {})
  complete.catch(() => {})
  child.send(options)
  const { parts } = await said('parts')
  return {
    ...parts,
    pid: child.pid!,
    /** All that was asked for runs, also what the store could start without. */
    complete,
    gone,
    stop: async () => {
      if (child.connected) child.disconnect()
      await gone
    },
  }
}
