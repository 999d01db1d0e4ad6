import type { AddressInfo } from 'node:net'
import { buildApp } from './app.ts'
import { createFaults } from './control/fault.ts'
import type { Log } from './log.ts'
import { createClock } from './store/clock.ts'
import { letTimePass } from './store/due-changes.ts'
import { openLedger } from './store/ledger.ts'
import { openBooks } from './store/store.ts'
import { startDispatcher } from './webhooks/dispatcher.ts'
import { createEndpoint, type WebhookOptions } from './webhooks/endpoint.ts'

export type ProcessorOptions = {
  /** 0 takes a free one. */
  port: number
  /** In a container every address, so that others reach it; else only this machine does. */
  host?: string
  /** Folder of the ledger, from which everything is rebuilt. */
  home: string
  /** The address that buyers' browsers use, when it is not the local one. */
  publicUrl?: string
  webhook: WebhookOptions
  secretKey: string
  log?: Log
}

const tickMs = 250
const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** Starts the sandbox card processor. */
export async function startProcessor(options: ProcessorOptions) {
  const { port, host = '127.0.0.1', home, publicUrl, webhook, secretKey, log = silent } = options
  const ledger = openLedger(home)
  const books = openBooks(ledger, createClock())
  const faults = createFaults()
  const endpoint = createEndpoint(webhook)
  const dispatcher = startDispatcher({ books, endpoint, faults, log })
  let url = publicUrl ?? ''
  const app = buildApp({ books, faults, endpoint, dispatcher, secretKey, log, payUrl: () => `${url}/pay` })

  const timer = setInterval(() => letTimePass(books), tickMs)
  const end = async () => {
    clearInterval(timer)
    dispatcher.stop()
    await app.close()
    ledger.close()
  }
  let ending: Promise<void> | undefined
  const stop = () => {
    ending ??= end()
    return ending
  }

  try {
    await app.listen({ port, host })
  } catch (error) {
    await stop()
    throw error
  }
  const local = `http://localhost:${(app.server.address() as AddressInfo).port}`
  url ||= local
  log.info({ url: local, home }, 'card processor ready')
  return { url: local, stop }
}
