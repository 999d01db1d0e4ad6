import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const fileIn = (folder: string) => join(folder, 'server.pid')

export const notePid = (folder: string, pid: number) => writeFile(fileIn(folder), String(pid))

/** Ends the server that a killed parent left on this folder; `word` tells it from whoever has its number by now. */
export async function endLeftover(folder: string, word: string) {
  if (!existsSync(fileIn(folder))) return
  const pid = Number(await readFile(fileIn(folder), 'utf8'))
  if (await isServer(pid, word)) process.kill(pid, 'SIGKILL')
  while (await isServer(pid, word)) await sleep(20)
  await rm(fileIn(folder), { force: true })
}

async function isServer(pid: number, word: string) {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // Without /proc nobody can tell whose number it is, so it is left alone.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.includes(word)
}
