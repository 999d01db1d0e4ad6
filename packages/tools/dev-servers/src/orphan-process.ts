import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from './is-running.ts'

const pidFileIn = (folder: string) => join(folder, 'server.pid')

export const writePidFile = (folder: string, pid: number) => writeFile(pidFileIn(folder), String(pid))

/**
 * Kills the server that a killed parent left running on this folder. `cmdlinePart` is matched against the process's
 * command line, because the pid may have been reused.
 */
export async function killOrphan(folder: string, cmdlinePart: string) {
  if (!existsSync(pidFileIn(folder))) return
  const pid = Number(await readFile(pidFileIn(folder), 'utf8'))
  if (await isServer(pid, cmdlinePart)) process.kill(pid, 'SIGKILL')
  while (await isServer(pid, cmdlinePart)) await sleep(20)
  await rm(pidFileIn(folder), { force: true })
}

async function isServer(pid: number, cmdlinePart: string) {
  if (!isRunning(pid)) return false
  // Without /proc the process cannot be identified, so it is not killed.
  const cmdline = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return cmdline.includes(cmdlinePart)
}
