import { X509Certificate } from 'node:crypto'
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import type { Server, ServerOptions } from 'node:https'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Log } from '../base/logs.ts'
import { collector } from '../base/metrics.ts'

/** PEM files of the certificate with which this process serves HTTPS, and of its private key. */
export type TlsFiles = { certFile: string; keyFile: string }

/** `TLS_CERT_FILE` and `TLS_KEY_FILE`: paths of PEM files. */
export const TlsFile = Type.String({ minLength: 1 })

const HANDSHAKE_TIMEOUT_MS = 10_000
const POLL_MS = 5_000

/** Undefined without both variables: HTTP. Throws if only one is set. */
export function tlsFiles(env: { TLS_CERT_FILE?: string; TLS_KEY_FILE?: string }): TlsFiles | undefined {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = env
  if (certFile && keyFile) return { certFile, keyFile }
  if (certFile || keyFile) throw new Error('Invalid environment:\n  TLS_CERT_FILE and TLS_KEY_FILE need each other')
  return undefined
}

const readFiles = ({ certFile, keyFile }: TlsFiles) => ({ cert: readFileSync(certFile), key: readFileSync(keyFile) })

/**
 * Fastify's option `https`, to be spread into its options. Typed as empty, because an app is used alike with HTTP and
 * HTTPS. `http` are the options of an HTTP server, which Fastify ignores otherwise. Throws if a file cannot be read.
 */
export const httpsOption = (files: TlsFiles | undefined, http: ServerOptions = {}): object =>
  files ? { https: { ...http, ...readFiles(files), handshakeTimeout: HANDSHAKE_TIMEOUT_MS } } : {}

/**
 * New connections get a renewed certificate within 5 s, without a restart. Files that cannot be used are logged, and
 * the previous certificate stays.
 */
export function renewCertificate(
  app: Pick<FastifyInstance<any, any, any, any>, 'server' | 'addHook'>,
  { files, log }: { files: TlsFiles | undefined; log: Log },
) {
  if (!files) return
  const renew = () => {
    try {
      ;(app.server as Server).setSecureContext(readFiles(files))
      log.info('tls: certificate renewed')
    } catch (error) {
      log.error({ err: error }, 'tls: the new certificate cannot be used, keeping the previous one')
    }
  }
  const paths = Object.values(files)
  for (const path of paths) watchFile(path, { interval: POLL_MS, persistent: false }, renew)
  app.addHook('onClose', async () => {
    for (const path of paths) unwatchFile(path, renew)
  })
}

/** When the certificate of this process ends; without TLS the metric has no value. */
export const certificateCollector = (files: TlsFiles | undefined) =>
  collector({
    source: 'certificate',
    metrics: {
      nifty_certificate_end_timestamp_seconds: { help: 'When the certificate of both ports ends, since the epoch' },
    },
    read: async () => ({
      nifty_certificate_end_timestamp_seconds:
        files === undefined ? null : Date.parse(new X509Certificate(readFileSync(files.certFile)).validTo) / 1_000,
    }),
  })
