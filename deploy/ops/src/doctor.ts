import { resolveTxt } from 'node:dns/promises'
import { countSellers } from '@nifty/api/auth/ops'
import { getStatus } from '@nifty/api/minting/ops'
import { getNewestWebhook } from '@nifty/api/payments/processor-events'
import { plural } from '@nifty/api/plural'
import { incompleteness, isAtForeignProcessor, isLiveKey, PROCESSOR_URL } from '@nifty/service-kit/base/live-key'
import type { Command } from './command.ts'
import { checkBackup } from './doctor/backup.ts'
import { checkContracts, checkNode, checkSigners } from './doctor/chain.ts'
import { type Checks, missing, note, ok, runChecks } from './doctor/check.ts'
import { checkDkim, checkMailServer, checkSpf } from './doctor/mail.ts'
import { checkEndpoints, checkKey, checkLastWebhook, checkProcessorHost, checkWebhook } from './doctor/processor.ts'
import { checkAlarms, checkReconciliation, checkSellers } from './doctor/sales.ts'
import {
  connectNode,
  folders,
  readMovesPerHour,
  verifyMailServer,
  webhookEndpoints,
  webhookSignature,
} from './doctor/servers.ts'
import { type DoctorSettings, readDoctorSettings } from './doctor/settings.ts'
import { checkClock, checkProxies, checkPublicUrl } from './doctor/site.ts'
import { table } from './format.ts'
import type { Store } from './store.ts'

export const doctorCommand: Command = {
  usage: '',
  about:
    'checks a running one-process store: domain, processor, chain, mail, backup; exit code 1 when something is missing',
  json: true,
  run: async (store) => {
    const results = await runChecks(checksOf(store, readDoctorSettings(process.env), process.env))
    const open = results.filter(({ state }) => state === 'missing')
    return {
      text: [
        table(results.map(({ state, check, text }) => [state === 'missing' ? 'MISSING' : state, check, text])),
        '',
        open.length === 0 ? 'Nothing is missing.' : `${plural(open.length, 'point')} missing.`,
      ].join('\n'),
      json: results,
      ok: open.length === 0,
    }
  },
}

function checksOf(store: Store, settings: DoctorSettings, env: NodeJS.ProcessEnv): Checks {
  const { publicUrl, secretKey, rpcUrl, secondRpcUrl, chainId, contracts, mailDomain } = settings
  const now = Date.now
  const node = connectNode(settings)
  return {
    settings: () => {
      const problems = incompleteness(env)
      if (problems.length === 0) return ok('all that a live key needs is set')
      const text = `a live key would be refused: ${problems.join('; ')}`
      return isLiveKey(secretKey) ? missing(text) : note(text)
    },
    'public address': () => checkPublicUrl(settings, fetch),
    proxy: () => checkProxies(settings, fetch),
    key: () => checkKey(secretKey),
    processor: () => checkProcessorHost(secretKey, settings.processorUrl),
    webhook: () =>
      settings.webhookSecrets.length === 0
        ? missing('STRIPE_WEBHOOK_SECRET is not set')
        : checkWebhook(
            { publicUrl, secrets: settings.webhookSecrets, livemode: isLiveKey(secretKey), nowMs: now() },
            fetch,
            webhookSignature,
          ),
    endpoint: () =>
      secretKey && checkKey(secretKey).state !== 'missing'
        ? checkEndpoints(publicUrl, {
            list: () => webhookEndpoints(secretKey, settings.processorUrl),
            mayAsk: !isAtForeignProcessor(env),
          })
        : note('no key'),
    'last webhook': async () => checkLastWebhook((await store.payments(getNewestWebhook)).receivedAt),
    clock: () => checkClock(settings.processorUrl ?? PROCESSOR_URL, fetch, now),
    node: () =>
      rpcUrl ? checkNode(node, chainId, now()) : missing('CHAIN_RPC_URL is not set: works are on a local chain'),
    'second node': () =>
      secondRpcUrl
        ? checkNode(connectNode({ ...settings, rpcUrl: secondRpcUrl }), chainId, now())
        : note('CHAIN_RPC_URL_2 is not set: one node alone says what is final'),
    contracts: () => (rpcUrl ? checkContracts(node, contracts) : missing('CHAIN_RPC_URL is not set')),
    gas: async () => {
      const { signers } = await store.minting(getStatus)
      return rpcUrl ? checkSigners(signers, await readMovesPerHour(settings)) : missing('CHAIN_RPC_URL is not set')
    },
    mail: () => checkMailServer(settings.smtpUrl, verifyMailServer),
    SPF: () => (mailDomain ? checkSpf(mailDomain, resolveTxt) : missing('MAIL_FROM is not set')),
    DKIM: () =>
      mailDomain ? checkDkim(mailDomain, settings.dkimSelector, resolveTxt) : missing('MAIL_FROM is not set'),
    backup: () => checkBackup({ backups: settings.backups, data: settings.dataDir }, folders, now()),
    sellers: async () => checkSellers((await store.auth(countSellers)).sellers),
    reconciliation: async () => checkReconciliation(await store.metricsOf('payments')),
    alarms: async () => checkAlarms(await store.metricsOf('payments')),
  }
}
