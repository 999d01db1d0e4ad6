import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@nifty/dev-servers/free-port'
import { startServer } from '@nifty/dev-servers/server-process'
import type { apiServerBinaries } from './binaries.ts'

export type ApiServer = {
  url: string
  token: string
  /** PEM of the authority of its certificate. */
  authority: string
  /** For Helm. */
  kubeconfig: string
  stop: () => Promise<void>
}

/** An API server with default admission and an etcd of its own on this machine, without controllers and nodes. */
export async function startApiServer({
  apiServer,
  etcd,
}: Awaited<ReturnType<typeof apiServerBinaries>>): Promise<ApiServer> {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-api-server-'))
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()]
  const token = randomUUID()
  const at = (of: number) => `http://127.0.0.1:${of}`
  await Promise.all(['etcd', 'server'].map((name) => mkdir(join(folder, name))))
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const accounts = join(folder, 'accounts.pem')
  await writeFile(accounts, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await writeFile(join(folder, 'tokens.csv'), `${token},admin,admin,system:masters\n`)

  const store = await startServer({
    command: etcd,
    args: [
      `--data-dir=${folder}/etcd/data`,
      `--listen-client-urls=${at(client)}`,
      `--advertise-client-urls=${at(client)}`,
      `--listen-peer-urls=${at(peer)}`,
      `--initial-advertise-peer-urls=${at(peer)}`,
      `--initial-cluster=default=${at(peer)}`,
      '--unsafe-no-fsync',
    ],
    folder: join(folder, 'etcd'),
    port: client,
    cmdlinePart: folder,
  })
  const server = await startServer({
    command: apiServer,
    args: [
      `--etcd-servers=${at(client)}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${folder}/server`,
      `--token-auth-file=${folder}/tokens.csv`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.96.0.0/16',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${accounts}`,
      `--service-account-signing-key-file=${accounts}`,
    ],
    folder: join(folder, 'server'),
    port,
    cmdlinePart: folder,
  })
  const url = `https://127.0.0.1:${port}`
  const certificate = join(folder, 'server/apiserver.crt')
  const kubeconfig = join(folder, 'kubeconfig')
  const cluster = { server: url, 'certificate-authority': certificate }
  await writeFile(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'it',
      contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
      clusters: [{ name: 'it', cluster }],
      users: [{ name: 'it', user: { token } }],
    }),
  )
  return {
    url,
    token,
    authority: await readFile(certificate, 'utf8'),
    kubeconfig,
    stop: async () => {
      await server.halt()
      await store.halt()
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}
