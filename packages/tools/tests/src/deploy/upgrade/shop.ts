import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { confirmEmail, grantAdmin } from '@nifty/api/auth/ops'
import { featureItems } from '@nifty/api/catalog/ops'
import { internalUrlVariable, type Program, perService, programs, serviceNames } from '@nifty/api/services'
import { png } from '@nifty/chaos/storm/cast/png'
import { createApiClient as createDemoClient, type HttpClient } from '@nifty/demo-data/api-client'
import { seedDemo } from '@nifty/demo-data/seed'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { operatorCredential, operatorEntry } from '@nifty/service-kit/http/operator-token'
import { accountsOf, createApiClient } from '@nifty/testkit/api-client'
import { cards, type RunFile } from '@nifty/testkit/run-file'
import { waitUntil } from '@nifty/testkit/wait-until'
import { Wallet } from 'ethers'
import type { Buildah } from '../images/buildah.ts'
import { composeVariables } from '../images/compose-variables.ts'
import { openContainers, type Variables } from '../images/container.ts'
import { openPods } from './pods.ts'
import type { Release } from './release.ts'
import { startProductionServers } from './servers.ts'

const OPERATOR = 'ada'
const OPERATOR_TIMEOUT_MS = 120_000
const DRAIN_SECONDS = 8
const MINTED = { timeoutMs: 180_000 }
const reason = { reason: 'upgrade of the images' }

/** The components with a folder of pictures. */
export const withPictures = ['auth', 'minting'] as const

type Options = { folder: string; former: Release; next: Release; log: (text: string) => void }

/** All servers, and the store of the former release on them. */
export async function openShop(buildah: Buildah, { folder, former, next, log }: Options) {
  // Of a run that was killed.
  await buildah.removeContainers()
  const containers = openContainers(buildah, folder)
  const stops: (() => Promise<void>)[] = [() => containers.kill().then(() => {})]
  const onStop = (stop: () => Promise<void>) => stops.push(stop)
  const stop = async () => {
    for (const each of stops) await each()
    await buildah.removeContainers()
  }
  try {
    const servers = await startProductionServers(folder, onStop)
    log(`PostgreSQL, PgBouncer, Kafka, Redis, object storage, chain, card sandbox and mailbox run in ${folder}`)
    const { privateKey } = generateKeyPairSync('ed25519')
    const operatorKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const given = {
      AUTH_SIGNING_KEY: operatorKey,
      OPERATORS: operatorEntry(OPERATOR, operatorKey),
      RESOURCE_PREFIX: process.env.RESOURCE_PREFIX ?? '',
    }
    const composed = (component: string, { tree }: Release) =>
      composeVariables(component, { addresses: servers.addresses, given, tree })

    // Pictures of a former release without a bucket are in folders, which are read until the bucket has them too.
    let readsFolders = !former.knows.bucket
    function variablesOf(component: Program, release: Release): Variables {
      const { UPLOADS_DIR, ...variables } = composed(component, release)
      return {
        ...variables,
        ...(UPLOADS_DIR && release.knows.bucket && servers.bucket),
        ...(UPLOADS_DIR && readsFolders && { UPLOADS_DIR }),
        ...(component !== 'gateway' && release.knows.pooler && { POSTGRES_POOLER_URL: servers.poolerUrl }),
        DRAIN_SECONDS: String(DRAIN_SECONDS),
        RATE_LIMIT_FACTOR: '1000',
      }
    }
    const pods = await openPods({ containers, ports: servers.ports, variablesOf, onStop })
    for (const release of [former, next]) await containers.create(opsOf(release), release.tagOf('ops'), 'ops')

    async function runTool(container: string, variables: Variables, args: string[]) {
      const { code, output } = await containers.run(container, variables, { args })
      if (code !== 0) throw new Error(`ops ${args[0]} ended with ${code}:\n${output}`)
      return output.trim()
    }
    const internalUrl = (name: Program) => `http://127.0.0.1:${servers.ports[name].internal}`
    const operator: Variables = {
      OPERATOR_NAME: OPERATOR,
      OPERATOR_KEY: operatorKey,
      ...Object.fromEntries(serviceNames.map((name) => [internalUrlVariable(name), internalUrl(name)])),
    }

    const contracts = composed('contracts', former) as Record<ContractVariable, string>
    const { CHAIN_DEPLOYER_KEY, CHAIN_SIGNER_KEY, CHAIN_ID, CHAIN_RPC_URL, CHAIN_COLLECTION, CHAIN_DELIVERY } =
      contracts
    const signers = [new Wallet(CHAIN_SIGNER_KEY), Wallet.createRandom()].map(({ address }) => address).join(',')
    const deployment = ['deploy-contracts', 'Nifty', 'NIFTY', `${servers.url}/api/tokens`, signers, '--yes']
    const deployed = await runTool(opsOf(former), { CHAIN_DEPLOYER_KEY, CHAIN_ID, CHAIN_RPC_URL }, deployment)
    // The addresses that compose.yaml has.
    if (!deployed.includes(`CHAIN_COLLECTION=${CHAIN_COLLECTION}\nCHAIN_DELIVERY=${CHAIN_DELIVERY}\n`))
      throw new Error(`the contracts have other addresses than compose.yaml:\n${deployed}`)
    await Promise.all(programs.map((component) => pods.start(component, former)))
    log(`the store runs from the images of ${former.commit}`)

    const run: RunFile = {
      url: servers.url,
      mailboxUrl: servers.mailboxUrl,
      processorUrl: servers.processorUrl,
      chainRpcUrl: servers.chainRpcUrl,
      chainId: Number(CHAIN_ID),
      contracts: { collection: CHAIN_COLLECTION, delivery: CHAIN_DELIVERY },
      accounts: [],
      cards,
    }
    return {
      run,
      pods,
      poolerUrl: servers.poolerUrl,
      /** Runs a command of the operator's tool from its image; returns its output. */
      ops: (release: Release, ...args: string[]) => runTool(opsOf(release), operator, args),
      /** Copies the pictures of all folders to the bucket; new processes do not read the folders. */
      moveToBucket: async () => {
        for (const component of withPictures) {
          const name = `ops-for-${component}`
          await containers.create(name, next.tagOf('ops'), component)
          const copy = () => runTool(name, servers.bucket, ['uploads', 'copy', '/data', '--yes'])
          await copy()
          const again = await copy()
          if (!again.includes(': 0 copied')) throw new Error(`the bucket lacks pictures of ${component}: ${again}`)
        }
        readsFolders = false
      },
      /** Creates the demo's accounts, and as many of its works, by the public API. */
      seed: async (works: number) => {
        const credential = operatorCredential({ name: OPERATOR, privateKey: operatorKey })
        const { auth, catalog } = perService((name) =>
          createServiceClient({ url: internalUrl(name), credential, name, timeoutMs: OPERATOR_TIMEOUT_MS }),
        )
        const seeding = await seedDemo({
          progress: { read: async () => undefined, write: async () => {} },
          log: { error: (details, message) => log(`${message}: ${inspect(details)}`) },
          print: log,
          onMinted: () => {},
          clients: perService((name) => httpClient(`http://127.0.0.1:${servers.ports[name].public}`)),
          chainRpcUrl: run.chainRpcUrl,
          works,
          operator: {
            confirmEmail: (email) => auth(confirmEmail, { body: { email, ...reason } }),
            grantAdmin: (email) => auth(grantAdmin, { body: { email, ...reason } }),
            feature: (itemIds) => catalog(featureItems, { body: { itemIds, ...reason } }),
          },
        })
        stops.unshift(seeding.stop)
        run.accounts.push(...seeding.accounts)
        await seeding.presentable
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const opsOf = ({ commit }: Release) => `ops-${commit}`

type ContractVariable =
  | 'CHAIN_DEPLOYER_KEY'
  | 'CHAIN_SIGNER_KEY'
  | 'CHAIN_ID'
  | 'CHAIN_RPC_URL'
  | 'CHAIN_COLLECTION'
  | 'CHAIN_DELIVERY'

/** Mints a work at the gateway; returns its name when the market has it, with a picture. */
export async function mintWork(run: RunFile, name: string) {
  const api = createDemoClient(perService(() => httpClient(run.url)))
  const creator = await api.logIn(accountsOf(run, 'creator')[0]!)
  const image = Buffer.from(png([200, 30, 90]))
  await api.mint(creator, { name, category: 'Art', price: '12', holder: 'custody', image }, randomUUID())
  const client = createApiClient(run)
  const work = await waitUntil(async () => (await client.market()).find((each) => each.name === name), MINTED)
  const picture = await fetch(`${run.url}${work.image}?w=320`)
  const type = picture.headers.get('content-type')
  await picture.arrayBuffer()
  if (type !== 'image/webp') throw new Error(`the picture of "${name}" is ${type}`)
  return name
}

function httpClient(origin: string): HttpClient {
  return {
    inject: async ({ method, url, headers, payload }) => {
      const isFile = payload instanceof Uint8Array
      const response = await fetch(origin + url, {
        method,
        headers: payload && !isFile ? { ...headers, 'content-type': 'application/json' } : headers,
        body: isFile ? new Uint8Array(payload) : payload && JSON.stringify(payload),
      })
      const body = await response.text()
      return { statusCode: response.status, body, json: () => JSON.parse(body) }
    },
  }
}
