import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createAuthority } from '@nifty/dev-servers/certificates'
import { waitUntil } from '@nifty/testkit/wait-until'

const SERVED = { timeoutMs: 30_000, intervalMs: 250 }

/**
 * Certificates of the services by two authorities, and the file of those that a process trusts: the former, both, the
 * next. This process trusts both.
 */
export async function createCertificates(folder: string) {
  const issueBy = async (turn: 'former' | 'next') => {
    await mkdir(join(folder, turn), { recursive: true })
    const authority = await createAuthority(join(folder, turn), `Authority ${turn}`)
    return { caFile: authority.caFile, ...(await authority.issue('services')) }
  }
  const [former, next] = await Promise.all([issueBy('former'), issueBy('next')])
  const served = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
  const both = join(folder, 'both.crt')
  await writeFile(both, `${former.ca}${next.ca}`)
  setDefaultCACertificates([...getCACertificates('default'), await readFile(both, 'utf8')])

  async function serve({ certFile, keyFile }: typeof served) {
    await copyFile(keyFile, served.keyFile)
    await copyFile(certFile, served.certFile)
  }
  await serve(former)

  /** Whether a client that trusts only this authority connects. */
  const connects = (url: string, ca: string) =>
    new Promise<boolean>((resolve) => {
      const { hostname, port } = new URL(url)
      const socket = connect({ host: hostname, port: Number(port), ca }, () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
  return {
    served,
    trusted: { former: former.caFile, both, next: next.caFile },
    /** Resolves when all of these addresses have a certificate of the next authority. */
    serveNext: async (urls: string[]) => {
      await serve(next)
      await waitUntil(async () => {
        const all = await Promise.all(urls.map((url) => connects(url, next.ca)))
        return all.every(Boolean)
      }, SERVED)
    },
    formerConnects: (url: string) => connects(url, former.ca),
  }
}
