import { ChainId, PublicUrl, parseEnv, RateLimitFactor, withoutTrailingSlash } from '@nifty/service-kit/base/env'
import { Type } from 'typebox'

const Env = Type.Object({
  PUBLIC_URL: PublicUrl,
  PORT: Type.Integer({ default: 8080 }),
  /** For `pnpm ops doctor`: the store's own address, without the proxy; by default `PORT` of this machine. */
  GATEWAY_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  TRUSTED_PROXIES: Type.Optional(Type.String()),
  RATE_LIMIT_FACTOR: RateLimitFactor,
  COMPANY_NAME: Type.Optional(Type.String()),
  STRIPE_SECRET_KEY: Type.Optional(Type.String()),
  STRIPE_WEBHOOK_SECRET: Type.String({ default: '' }),
  STRIPE_API_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  CHAIN_ID: ChainId,
  CHAIN_RPC_URL: Type.Optional(Type.String()),
  CHAIN_RPC_URL_2: Type.Optional(Type.String()),
  CHAIN_COLLECTION: Type.Optional(Type.String()),
  CHAIN_DELIVERY: Type.Optional(Type.String()),
  SMTP_URL: Type.Optional(Type.String()),
  MAIL_FROM: Type.String({ default: '' }),
  /** For `pnpm ops doctor`: the selector of the DKIM record, as the mail provider names it. */
  DKIM_SELECTOR: Type.Optional(Type.String()),
  /** For `pnpm ops doctor` and `status`: the folder into which the nightly backup is written. */
  BACKUP_DIR: Type.Optional(Type.String()),
  NIFTY_HOME: Type.String({ default: '.nifty' }),
})

/** The settings of the running store, as this tool has them from the same `.env`. */
export function readDoctorSettings(env: NodeJS.ProcessEnv) {
  const values = parseEnv(Env, env)
  const [, domain = ''] = /@([^@\s>]+)>?$/.exec(values.MAIL_FROM) ?? []
  return {
    publicUrl: withoutTrailingSlash(values.PUBLIC_URL),
    gatewayUrl: withoutTrailingSlash(values.GATEWAY_URL ?? `http://127.0.0.1:${values.PORT}`),
    trustedProxies: values.TRUSTED_PROXIES,
    rateLimitFactor: values.RATE_LIMIT_FACTOR,
    company: values.COMPANY_NAME,
    secretKey: values.STRIPE_SECRET_KEY,
    webhookSecrets: values.STRIPE_WEBHOOK_SECRET.split(',')
      .map((secret) => secret.trim())
      .filter(Boolean),
    processorUrl: values.STRIPE_API_URL,
    chainId: values.CHAIN_ID,
    rpcUrl: values.CHAIN_RPC_URL,
    secondRpcUrl: values.CHAIN_RPC_URL_2,
    contracts: { CHAIN_COLLECTION: values.CHAIN_COLLECTION, CHAIN_DELIVERY: values.CHAIN_DELIVERY },
    smtpUrl: values.SMTP_URL,
    mailDomain: domain,
    dkimSelector: values.DKIM_SELECTOR,
    backups: values.BACKUP_DIR,
    dataDir: values.NIFTY_HOME,
  }
}

export type DoctorSettings = ReturnType<typeof readDoctorSettings>
