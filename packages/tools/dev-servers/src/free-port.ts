import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * Below 32768, where Linux takes the local ports of outgoing connections from; a port from there can be taken at any
 * moment.
 */
const FIRST = 15_000
const LAST = 32_000
/** Time that a caller has to listen on its port before another process may be given it; at most twice as long. */
const RESERVED_MS = 300_000

/** A folder for each period of `RESERVED_MS`, with a file for each port that was given in it. */
const reservations = join(tmpdir(), `nifty-ports-${userInfo().uid}`)

/** A TCP port of this machine that is free, and that no other process is given for five minutes. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if ((await isFree(port)) && (await reserve(port))) return port
  }
}

/** Whether a server on this machine's loopback address could listen on the port now. */
export const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * Two processes that choose the same port in the same period create the same file, which one of them can; in two
 * periods each finds the file of the other, and neither takes the port.
 */
async function reserve(port: number): Promise<boolean> {
  const period = Math.floor(Date.now() / RESERVED_MS)
  const file = (of: number) => join(reservations, String(of), String(port))
  if (await mkdir(join(reservations, String(period)), { recursive: true })) await removeBefore(period - 1)
  const isCreated = await writeFile(file(period), '', { flag: 'wx' }).then(
    () => true,
    () => false,
  )
  return isCreated && !existsSync(file(period - 1)) && !existsSync(file(period + 1))
}

async function removeBefore(period: number) {
  const over = (await readdir(reservations)).filter((name) => Number(name) < period)
  await Promise.all(over.map((name) => rm(join(reservations, name), { recursive: true, force: true })))
}
