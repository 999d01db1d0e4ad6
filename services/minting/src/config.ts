import { StoreName, StoreTagline } from '@nifty/api/store'
import { REQUEST_MS } from '@nifty/contracts/provider'
import { keysOfSetting, SIGNING_KEYS } from '@nifty/contracts/signing/key-setting'
import {
  Address,
  ChainId,
  CustodyHoldHours,
  MailTokenKey,
  PublicUrl,
  parseEnv,
  RateLimitFactor,
  rateLimit,
  withoutTrailingSlash,
} from '@nifty/service-kit/base/env'
import { keysOf } from '@nifty/service-kit/base/secrets'
import { objectSettingsOf, UploadsDir, UploadsUrl } from '@nifty/service-kit/objects/object-settings'
import { Type } from 'typebox'
import type { Patience } from './chain/rpc-nodes.ts'

const Env = Type.Object({
  /** The node. */
  CHAIN_RPC_URL: Type.String({ minLength: 1 }),
  /** A second node, which has to agree on what is final. */
  CHAIN_RPC_URL_2: Type.Optional(Type.String({ minLength: 1 })),
  CHAIN_ID: ChainId,
  /**
   * The keys that mint and deliver, separated by commas: 0x and 64 hex digits, or `awskms:<address>:<key>` with an id,
   * ARN or alias of AWS KMS.
   */
  CHAIN_SIGNER_KEY: Type.String({ pattern: SIGNING_KEYS }),
  /** Address of the contract NiftyCollection. */
  CHAIN_COLLECTION: Address,
  /** Address of the contract NiftyDelivery. */
  CHAIN_DELIVERY: Address,
  /** The block of the first contract, where the index starts. */
  CHAIN_FROM_BLOCK: Type.Integer({ default: 0, minimum: 0 }),
  /** Number of blocks above a final one, besides the tag `finalized` of the node. */
  CHAIN_FINALITY_DEPTH: Type.Integer({ default: 32, minimum: 0 }),
  /** Maximum number of blocks per query of logs; halved when the node refuses it. */
  CHAIN_LOG_RANGE: Type.Integer({ default: 2_000, minimum: 1 }),
  /** Interval of the workers that read the chain. */
  CHAIN_POLL_MS: Type.Integer({ default: 1000, minimum: 10 }),
  /** Delay before a higher fee. */
  CHAIN_BUMP_AFTER_MS: Type.Integer({ default: 20_000, minimum: 100 }),
  /** Interval of repeated broadcasts. */
  CHAIN_REBROADCAST_MS: Type.Integer({ default: 5_000, minimum: 50 }),
  /** The maximum fee; a cancellation pays up to ten times as much. */
  CHAIN_MAX_FEE_GWEI: Type.Integer({ default: 5_000, minimum: 1 }),
  /** Maximum number of signatures of all keys in one process; unset: 334 per key. */
  CHAIN_SIGNATURES_PER_MINUTE: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Royalty of a resale, in hundredths of a percent. */
  ROYALTY_BPS: Type.Integer({ default: 500, minimum: 0, maximum: 5_000 }),
  CUSTODY_HOLD_HOURS: CustodyHoldHours,
  /** Mints per creator, times `RATE_LIMIT_FACTOR`. */
  MINTS_PER_HOUR: Type.Integer({ default: 60, minimum: 1 }),
  RATE_LIMIT_FACTOR: RateLimitFactor,
  MAIL_TOKEN_KEY: MailTokenKey,
  UPLOADS_DIR: UploadsDir,
  UPLOADS_URL: UploadsUrl,
  PUBLIC_URL: PublicUrl,
  STORE_NAME: StoreName,
  STORE_TAGLINE: StoreTagline,
})

/** Transactions of one signer that are in no block, and that are not final. */
const queueLimits = { maxUnmined: 16, maxNotFinal: 256 }

/** Of one key: above what the contracts of a store let it mint and move. */
const SIGNATURES_PER_MINUTE = 334

const patience: Patience = { slowMs: 1_000, eachWithinMs: 3_000, requestMs: REQUEST_MS }

/** How long finality may wait for a node before there is an alarm. */
const FINALITY_ALARM_MS = 5 * 60_000

export type Config = ReturnType<typeof readConfig>

export function readConfig(variables: NodeJS.ProcessEnv) {
  const env = parseEnv(Env, variables)
  const signerKeys = keysOfSetting(env.CHAIN_SIGNER_KEY)
  return {
    chain: {
      rpcUrl: env.CHAIN_RPC_URL,
      secondRpcUrl: env.CHAIN_RPC_URL_2,
      chainId: env.CHAIN_ID,
      signerKeys,
      collection: env.CHAIN_COLLECTION,
      delivery: env.CHAIN_DELIVERY,
      /** The block of the first contract: the index starts there. */
      fromBlock: env.CHAIN_FROM_BLOCK,
      finalityDepth: env.CHAIN_FINALITY_DEPTH,
      /** Maximum number of blocks per query of logs. */
      logRange: env.CHAIN_LOG_RANGE,
      patience,
    },
    transactions: {
      pollMs: env.CHAIN_POLL_MS,
      bumpAfterMs: env.CHAIN_BUMP_AFTER_MS,
      rebroadcastMs: env.CHAIN_REBROADCAST_MS,
      finalityAlarmMs: FINALITY_ALARM_MS,
      /** Wei per gas; a transaction that needs more waits, with an alarm. */
      maxFee: BigInt(env.CHAIN_MAX_FEE_GWEI) * 1_000_000_000n,
      ...queueLimits,
      /** Of all keys together. */
      signaturesPerMinute: env.CHAIN_SIGNATURES_PER_MINUTE ?? signerKeys.length * SIGNATURES_PER_MINUTE,
    },
    royaltyBps: env.ROYALTY_BPS,
    custodyHoldHours: env.CUSTODY_HOLD_HOURS,
    mintsPerHour: rateLimit(env.MINTS_PER_HOUR, env.RATE_LIMIT_FACTOR),
    mailTokenKeys: keysOf(env.MAIL_TOKEN_KEY),
    uploads: objectSettingsOf(env),
    publicUrl: withoutTrailingSlash(env.PUBLIC_URL),
    store: { name: env.STORE_NAME, tagline: env.STORE_TAGLINE },
  }
}
