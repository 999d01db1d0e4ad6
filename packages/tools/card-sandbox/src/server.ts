import type { AddressInfo } from 'node:net'
import { createApiKeys } from './api/api-keys.ts'
import { isLiveKey } from './api/mode.ts'
import { buildApp } from './app.ts'
import { createFaults } from './control/fault.ts'
import { applyDueChanges } from './due-changes/due-changes.ts'
import type { Log } from './log.ts'
import { createClock } from './store/clock.ts'
import { openLedger } from './store/ledger.ts'
import { openStore } from './store/store.ts'
import { startDispatcher } from './webhooks/dispatcher.ts'
import { createWebhookEndpoint, type WebhookOptions } from './webhooks/endpoint.ts'

export type SandboxOptions = {
  /** 0 takes a free one. */
  port: number
  /** Default: this machine only. In a container `0.0.0.0`. */
  host?: string
  /** Folder of the ledger, from which the state is rebuilt at each start. */
  dataDir: string
  /** The address that buyers' browsers use, if it is not the local one. */
  publicUrl?: string
  webhook: WebhookOptions
  secretKey: string
  log?: Log
}

const DUE_CHANGES_INTERVAL_MS = 250
const noLog: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** Starts the card sandbox. Resolves when it accepts requests; `url` is its local address. */
export async function startCardSandbox(options: SandboxOptions) {
  const { port, host = '127.0.0.1', dataDir, publicUrl, webhook, secretKey, log = noLog } = options
  const ledger = openLedger(dataDir)
  const store = openStore(ledger, createClock())
  const faults = createFaults()
  const endpoint = createWebhookEndpoint(webhook)
  const apiKeys = createApiKeys(secretKey)
  const dispatcher = startDispatcher({ store, endpoint, faults, log, livemode: isLiveKey(secretKey) })
  let url = publicUrl ?? ''
  const app = buildApp({ store, faults, endpoint, dispatcher, apiKeys, secretKey, log, payUrl: () => `${url}/pay` })

  const timer = setInterval(() => applyDueChanges(store), DUE_CHANGES_INTERVAL_MS)
  const stopAll = async () => {
    clearInterval(timer)
    dispatcher.stop()
    await app.close()
    ledger.close()
  }
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopAll()
    return stopping
  }

  try {
    await app.listen({ port, host })
  } catch (error) {
    await stop()
    throw error
  }
  const localUrl = `http://localhost:${(app.server.address() as AddressInfo).port}`
  url ||= localUrl
  log.info({ url: localUrl, dataDir }, 'card sandbox is ready')
  return { url: localUrl, stop }
}
