import { spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { signup } from '@nifty/api/auth/public'
import { getMarket } from '@nifty/api/catalog/public'
import { healthz } from '@nifty/api/infrastructure'
import { startCardSandbox } from '@nifty/card-sandbox/server'
import { startTestChain } from '@nifty/contracts/testing/test-chain'
import { freePort } from '@nifty/dev-servers/free-port'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { testServerUrl } from '@nifty/service-kit/testing/database'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { builtFrontEnd } from '../front-end/front-end.ts'

const secret = () => randomBytes(32).toString('hex')
const folder = await temporaryFolder('small-shop')
const chain = await startTestChain()
const [stripeKey, webhookSecret] = [`sk_test_${secret()}`, `whsec_${secret()}`]
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const processor = await startCardSandbox({
  port: 0,
  dataDir: join(folder, 'processor'),
  secretKey: stripeKey,
  webhook: { url: `${url}/api/payments/webhook`, secret: webhookSecret },
})
afterAll(processor.stop)

const variables: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  HOST: '127.0.0.1',
  PORT: String(port),
  INTERNAL_PORT: String((await freePort()) - 10),
  POSTGRES_URL: testServerUrl(),
  RESOURCE_PREFIX: `shop-${randomBytes(4).toString('hex')}`,
  STORE_ID: 'small-shop',
  INTERNAL_SECRET: secret(),
  LOG_LEVEL: 'warn',
  PUBLIC_URL: url,
  AUTH_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  MAIL_TOKEN_KEY: secret(),
  SECOND_FACTOR_KEY: secret(),
  UPLOADS_DIR: join(folder, 'uploads'),
  SMTP_URL: 'smtp://127.0.0.1:1',
  STRIPE_SECRET_KEY: stripeKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_URL: processor.url,
  CHAIN_RPC_URL: chain.url,
  CHAIN_ID: '31337',
  CHAIN_SIGNER_KEY: chain.signer.privateKey,
  CHAIN_COLLECTION: chain.collection,
  CHAIN_DELIVERY: chain.delivery,
  CHAIN_FINALITY_DEPTH: '2',
}

/** Runs the program until its gateway responds, or it ends. */
async function start(env: NodeJS.ProcessEnv) {
  await builtFrontEnd()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  const responds = async () => {
    while (child.exitCode === null)
      if ((await fetch(url + healthz.path).catch(() => undefined))?.ok) return true
      else await new Promise((resolve) => setTimeout(resolve, 100))
    return false
  }
  return { child, output: () => output, closed, responds: await responds() }
}

test('all services run in one process on the servers that variables name, and stop on SIGTERM', async () => {
  const { child, output, closed, responds } = await start(variables)
  expect(responds, output()).toBe(true)

  const response = await fetch(url + signup.path, {
    method: signup.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      firstName: 'Ada',
      lastName: 'Lovelace',
      username: 'ada',
      email: 'ada@nifty.test',
      password: 'correct horse battery',
    }),
  })
  expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ success: true })])
  expect(await (await fetch(url + getMarket.path)).json()).toMatchObject({ nfts: [], total: 0 })
  expect(await (await fetch(url)).text()).toContain('<title>')

  child.kill('SIGTERM')
  expect(await closed).toEqual([0, null])
})

test('a variable that is missing is named, and nothing starts', async () => {
  const { POSTGRES_URL: _, ...incomplete } = variables
  const { output, closed, responds } = await start(incomplete)
  expect([responds, (await closed)[0]]).toEqual([false, 1])
  expect(output()).toContain('POSTGRES_URL')
})
