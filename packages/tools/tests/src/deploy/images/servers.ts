import { join } from 'node:path'
import { type Program, programs, serviceNames } from '@nifty/api/services'
import { startCardSandbox } from '@nifty/card-sandbox/server'
import { startAnvil } from '@nifty/dev-servers/anvil'
import { freePort } from '@nifty/dev-servers/free-port'
import { startMailbox } from '@nifty/dev-servers/mailbox'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { composeVariables } from './compose-variables.ts'
import type { Variables } from './container.ts'

/** The servers of `deploy/compose.yaml` apart from Kafka and Redis, and ports for the components. */
export async function startServers(folder: string, onStop: (stop: () => Promise<void>) => void) {
  const ports = {} as Record<Program, { public: number; internal: number }>
  for (const name of programs) ports[name] = { public: await freePort(), internal: await freePort() }
  const mailbox = { port: await freePort(), smtpPort: await freePort() }
  const url = `http://127.0.0.1:${ports.gateway.public}`

  const postgres = await startPostgres({ folder: join(folder, 'postgres'), durable: false })
  onStop(postgres.stop)
  const chain = await startAnvil({ blocks: 250 })
  onStop(chain.stop)
  onStop((await startMailbox({ ...mailbox, folder: join(folder, 'mails') })).stop)
  const processor = await startCardSandbox({
    port: 0,
    dataDir: join(folder, 'processor'),
    secretKey: composeVariables('processor', { addresses: anyAddress, given: {} }).SECRET_KEY!,
    webhook: {
      url: `${url}/api/payments/webhook`,
      secret: composeVariables('processor', { addresses: anyAddress, given: {} }).WEBHOOK_SECRET!,
    },
  })
  onStop(processor.stop)

  const local = (port: number | string) => `127.0.0.1:${port}`
  const addresses: Variables = {
    'postgres:5432': local(new URL(postgres.url).port),
    'chain:8545': local(new URL(chain.url).port),
    'mailbox:1025': local(mailbox.smtpPort),
    'processor:4242': local(new URL(processor.url).port),
    'localhost:8080': local(ports.gateway.public),
    'localhost:8545': local(new URL(chain.url).port),
    'localhost:4242': local(new URL(processor.url).port),
    ...Object.fromEntries(
      serviceNames.flatMap((name) => [
        [`${name}:3000`, local(ports[name].public)],
        [`${name}:3100`, local(ports[name].internal)],
      ]),
    ),
  }
  return {
    url,
    ports,
    addresses,
    postgresUrl: postgres.url,
    chainRpcUrl: chain.url,
    processorUrl: processor.url,
    mailboxUrl: `http://127.0.0.1:${mailbox.port}`,
  }
}

/** For variables whose addresses do not matter. */
const anyAddress: Variables = new Proxy({}, { get: (_target, address) => String(address) })
