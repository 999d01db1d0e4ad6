import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endLeftover, notePid } from './orphan-process.ts'

const READY_WITHIN_MS = 120_000

export type ServerCommand = {
  command: string
  args: string[]
  /** Where its log and its process number are kept. */
  folder: string
  port: number
  /** A word of its command line. */
  word: string
}

/** A server that was started by its command line, and can be stopped and started again on the same data. */
export type ServerProcess = { halt: (signal?: NodeJS.Signals) => Promise<void>; resume: () => Promise<void> }

export async function startServer(what: ServerCommand): Promise<ServerProcess> {
  let child: ChildProcess | undefined

  async function resume() {
    await endLeftover(what.folder, what.word)
    const log = openSync(join(what.folder, 'server.log'), 'a')
    const started = spawn(what.command, what.args, { stdio: ['ignore', log, log], detached: true })
    child = started
    const failed = new Promise<never>((_resolve, reject) => {
      started.once('error', reject)
      started.once('exit', (code) =>
        reject(new Error(`${what.command} ended with code ${code}; see ${what.folder}/server.log`)),
      )
    })
    failed.catch(() => {})
    await Promise.race([untilOpen(what.port, () => child === started), failed])
    await notePid(what.folder, started.pid!)
  }

  async function halt(signal: NodeJS.Signals = 'SIGTERM') {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    await gone
  }

  try {
    await resume()
  } catch (error) {
    await halt('SIGKILL')
    throw error
  }
  return { halt, resume }
}

async function untilOpen(port: number, wanted: () => boolean) {
  const until = performance.now() + READY_WITHIN_MS
  while (!(await isOpen(port))) {
    if (!wanted()) return
    if (performance.now() > until) throw new Error(`nobody listens on port ${port} after ${READY_WITHIN_MS} ms`)
    await sleep(50)
  }
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
