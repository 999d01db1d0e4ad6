import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** Below 32768, where Linux takes the local ports of outgoing connections from; a port from there can be taken at any moment. */
const FIRST = 15_000
const LAST = 32_000
/** Time that a caller has to listen on its port before another process may be given it. */
const RESERVED_MS = 300_000

const reservations = join(tmpdir(), `nifty-ports-${userInfo().uid}`)

/** A TCP port of this machine that is free, and that no other process is given for five minutes. */
export async function freePort(): Promise<number> {
  await mkdir(reservations, { recursive: true })
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if ((await isReserved(port)) || !(await isFree(port))) continue
    if (await reserve(port)) return port
  }
}

/** Whether a server on this machine's loopback address could listen on the port now. */
export const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

const file = (port: number) => join(reservations, String(port))

async function isReserved(port: number) {
  const age = await stat(file(port)).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => undefined,
  )
  if (age === undefined) return false
  if (age < RESERVED_MS) return true
  await rm(file(port), { force: true })
  return false
}

const reserve = (port: number) =>
  writeFile(file(port), '', { flag: 'wx' }).then(
    () => true,
    () => false,
  )
