import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent } from './end-with-parent.ts'
import { killOrphan, writePidFile } from './orphan-process.ts'
import { stopProcess } from './stop-process.ts'

const READY_WITHIN_MS = 120_000

type ServerCommand = {
  command: string
  args: string[]
  /** For its log and its pid file. */
  folder: string
  port: number
  /** A part of its command line by which it is recognised; see `killOrphan`. */
  cmdlinePart: string
  /** Ends it at once and in order; SIGTERM when absent. */
  stopSignal?: 'SIGTERM' | 'SIGQUIT'
}

/** A child process that can be stopped and started again on the same data. */
export type ServerProcess = { halt: (signal?: NodeJS.Signals) => Promise<void>; resume: () => Promise<void> }

export async function startServer(server: ServerCommand): Promise<ServerProcess> {
  const { stopSignal = 'SIGTERM' } = server
  let child: ChildProcess | undefined

  async function resume() {
    await killOrphan(server.folder, server.cmdlinePart)
    const log = openSync(join(server.folder, 'server.log'), 'a')
    const started = spawn(server.command, server.args, { stdio: ['ignore', log, log], detached: true })
    child = started
    endWithParent(started, stopSignal)
    const failed = new Promise<never>((_resolve, reject) => {
      started.once('error', reject)
      started.once('exit', (code) =>
        reject(new Error(`${server.command} ended with code ${code}; see ${server.folder}/server.log`)),
      )
    })
    failed.catch(() => {})
    await Promise.race([untilOpen(server.port, () => child === started), failed])
    await writePidFile(server.folder, started.pid!)
  }

  async function halt(signal: NodeJS.Signals = stopSignal) {
    const running = child
    child = undefined
    if (running) await stopProcess(running, { signal })
  }

  try {
    await resume()
  } catch (error) {
    await halt('SIGKILL')
    throw error
  }
  return { halt, resume }
}

/** Resolves when the port accepts connections, or when `isWanted` turns false. */
async function untilOpen(port: number, isWanted: () => boolean) {
  const until = performance.now() + READY_WITHIN_MS
  while (!(await isOpen(port))) {
    if (!isWanted()) return
    if (performance.now() > until) throw new Error(`nothing listens on port ${port} after ${READY_WITHIN_MS} ms`)
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
