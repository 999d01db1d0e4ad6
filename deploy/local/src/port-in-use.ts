import { createServer } from 'node:net'

/** What a launcher prints for a taken port. */
export const portInUse = (port: number | undefined, variable: string) =>
  `Port ${port} is in use by another program. Stop that, or set ${variable}.`

/** Throws unless all ports of this machine are free, on IPv4 and, where there is one, on IPv6. */
export async function refuseTakenPorts(ports: { port: number; variable: string }[]) {
  for (const { port, variable } of ports)
    for (const host of ['127.0.0.1', '::1']) if (await isTaken(port, host)) throw new Error(portInUse(port, variable))
}

const isTaken = (port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'))
    server.listen({ port, host }, () => server.close(() => resolve(false)))
  })
