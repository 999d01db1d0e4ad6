#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { startCardSandbox } from './server.ts'

const usage = `Card sandbox: a local server that behaves like the Stripe API for card payments with Checkout.

  option              variable        default
  --port              PORT            4242; 0 takes a free port
  --host              HOST            127.0.0.1
  --data-dir          HOME_DIR        .card-sandbox
  --secret-key        SECRET_KEY      sk_test_sandbox
  --webhook-url       WEBHOOK_URL     none: events wait until one is set
  --webhook-secret    WEBHOOK_SECRET  whsec_sandbox; several comma-separated while a secret is rolled
  --public-url        PUBLIC_URL      the local address; the one that buyers' browsers use
`

function readOptions() {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      port: text,
      host: text,
      'data-dir': text,
      'secret-key': text,
      'webhook-url': text,
      'webhook-secret': text,
      'public-url': text,
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    process.exit(0)
  }
  const { env } = process
  const port = Number(values.port ?? (env.PORT || 4242))
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('The port must be a number from 0 to 65535')
  return {
    port,
    host: values.host ?? env.HOST,
    dataDir: values['data-dir'] ?? (env.HOME_DIR || '.card-sandbox'),
    secretKey: values['secret-key'] ?? (env.SECRET_KEY || 'sk_test_sandbox'),
    webhookUrl: values['webhook-url'] ?? env.WEBHOOK_URL,
    webhookSecret: values['webhook-secret'] ?? (env.WEBHOOK_SECRET || 'whsec_sandbox'),
    publicUrl: values['public-url'] ?? env.PUBLIC_URL,
  }
}

async function run() {
  const { webhookUrl, webhookSecret, ...options } = readOptions()
  const { url, stop } = await startCardSandbox({
    ...options,
    webhook: { url: webhookUrl, secret: webhookSecret.split(',') },
    log: pino({ name: 'card-sandbox' }, pino.destination(2)),
  })
  const end = () => stop().then(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  process.once('disconnect', end)

  process.stdout.write(`ready ${url}
  secret key      ${options.secretKey}
  webhook secret  ${webhookSecret}
  webhook URL     ${webhookUrl ?? 'none: events wait until one is set'}
  control API     ${url}/sandbox/ledger
`)
  // Only after the signal handlers are installed: the parent may stop the sandbox at once.
  process.send?.({ url })
}

run().catch((error: NodeJS.ErrnoException & { port?: number }) => {
  const inUse = error.code === 'EADDRINUSE' && `Port ${error.port} is in use by another program. Set --port.`
  process.stderr.write(`${inUse || error.message}\n`)
  process.exit(1)
})
