import { StoreName } from '@nifty/api/store'
import {
  Address,
  ChainId,
  KeysSetting,
  MailTokenKey,
  PublicUrl,
  parseEnv,
  RateLimitFactor,
  withoutTrailingSlash,
} from '@nifty/service-kit/base/env'
import { keysOf } from '@nifty/service-kit/base/secrets'
import { objectSettingsOf, UploadsDir, UploadsUrl } from '@nifty/service-kit/objects/object-settings'
import { Type } from 'typebox'
import { limitsOf } from './quotas/limits.ts'

const Env = Type.Object({
  /** PEM, PKCS#8, Ed25519: signs tokens. Line breaks may be written as `\n`. */
  AUTH_SIGNING_KEY: Type.String({ minLength: 1 }),
  /**
   * PEM of one more key whose tokens are accepted. To rotate: set the next key here, then swap the two, then remove
   * the previous key after 12 hours.
   */
  AUTH_ACCEPTED_KEY: Type.Optional(Type.String({ minLength: 1 })),
  PUBLIC_URL: PublicUrl,
  /** Folder of uploads, shared by replicas. It or `UPLOADS_URL` is required. */
  UPLOADS_DIR: UploadsDir,
  /**
   * Bucket of uploads, in place of the folder: `s3://bucket/prefix?region=eu-central-1`, or `&endpoint=https://host` for a
   * server that is not AWS. Credentials: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or a web identity. With both
   * settings pictures move: deploy/ops/README.md.
   */
  UPLOADS_URL: UploadsUrl,
  CHAIN_ID: ChainId,
  /** The node. Auth asks it for signatures of contract wallets; without it only key pairs prove themselves. */
  CHAIN_RPC_URL: Type.Optional(Type.String({ minLength: 1 })),
  /** Address of NiftyCollection, which cannot be a user's wallet. */
  CHAIN_COLLECTION: Type.Optional(Address),
  /** Address of NiftyDelivery, likewise. */
  CHAIN_DELIVERY: Type.Optional(Address),
  /** Comma-separated addresses that cannot be a user's wallet; it should contain the signers. */
  WALLET_DENY_LIST: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{40}(,\\s*0x[0-9a-fA-F]{40})*$' })),
  /** Whether a wallet can be linked with a signature only. */
  WALLET_PROOF_REQUIRED: Type.Boolean({ default: false }),
  /** Whether log-in and the public profile require a confirmed address. */
  CONFIRM_EMAIL_BEFORE_LOGIN: Type.Boolean({ default: false }),
  /** Hours that withdrawals wait after a change of wallet, address or password. */
  WITHDRAWAL_WAIT_HOURS: Type.Integer({ default: 24, minimum: 0, maximum: 720 }),
  /** The same in auth, minting and notification: encrypts the tokens of mailed links. */
  MAIL_TOKEN_KEY: MailTokenKey,
  /**
   * Auth only: encrypts the secrets of authenticator apps. Without the value that encrypted it, a code is a 503
   * `second_factor_unavailable`, and recovery codes work.
   */
  SECOND_FACTOR_KEY: KeysSetting,
  RATE_LIMIT_FACTOR: RateLimitFactor,
  STORE_NAME: StoreName,
})

export type Config = ReturnType<typeof readConfig>

/** What requesting a mail with a link needs. */
export type MailConfig = Pick<Config, 'limits' | 'mailTokenKeys'>

export function readConfig(env: NodeJS.ProcessEnv) {
  const values = parseEnv(Env, env)
  return {
    /** PEM, PKCS#8, Ed25519: signs tokens. */
    signingKey: readPem(values.AUTH_SIGNING_KEY),
    /** PEM of one more key whose tokens are accepted, public or private: the previous or the next signing key. */
    acceptedKey: values.AUTH_ACCEPTED_KEY && readPem(values.AUTH_ACCEPTED_KEY),
    publicUrl: withoutTrailingSlash(values.PUBLIC_URL),
    /** In texts that people sign, in authenticator apps and password managers. No account bears it. */
    storeName: values.STORE_NAME,
    /** Avatars are in its part `avatars`, covers in `covers`. */
    uploads: objectSettingsOf(values),
    chainId: values.CHAIN_ID,
    /** A node that verifies signatures of contract wallets (ERC-1271). Unset: only key pairs prove themselves. */
    chainRpcUrl: values.CHAIN_RPC_URL,
    /** Addresses of the store's contracts and signers, which cannot be a user's wallet. */
    deniedWallets: [
      ...(values.WALLET_DENY_LIST?.split(',') ?? []),
      ...[values.CHAIN_COLLECTION, values.CHAIN_DELIVERY].filter((address) => address !== undefined),
    ].map((address) => address.trim()),
    walletProofRequired: values.WALLET_PROOF_REQUIRED,
    /** Encrypts the tokens of mailed links for notification. */
    mailTokenKeys: keysOf(values.MAIL_TOKEN_KEY),
    /** Encrypts the secrets of authenticator apps in the database. */
    secondFactorKeys: keysOf(values.SECOND_FACTOR_KEY),
    confirmEmailBeforeLogin: values.CONFIRM_EMAIL_BEFORE_LOGIN,
    /** How long withdrawals out of custody wait after a change of wallet, e-mail address or password. */
    withdrawalWaitHours: values.WITHDRAWAL_WAIT_HOURS,
    limits: limitsOf(values.RATE_LIMIT_FACTOR),
  }
}

/** Environment variables often contain line breaks as `\n`. */
const readPem = (text: string) => text.replaceAll('\\n', '\n')
