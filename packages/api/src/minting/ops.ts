import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Done, Id, IsoDate, Nullable, operatorAction } from '../shapes.ts'
import { giftStates } from './gifts.ts'
import { Withdrawal } from './public.ts'

const Count = Type.Integer()

/** A signing key. Values from the chain are null while its node does not respond. */
export type SignerStatus = Static<typeof SignerStatus>
export const SignerStatus = Type.Object({
  /** Checksummed. */
  address: Type.String(),
  /**
   * `active` signs; `draining` signs nothing new; `retired`: the contracts accept it no more in a final block, its
   * unmined work went to other signers.
   */
  state: Type.Enum(['active', 'draining', 'retired']),
  /** Without its key a signer signs nothing; its transactions are followed all the same. */
  keyConfigured: Type.Boolean(),
  /** Whether the contracts accept it, by the newest block. */
  roles: Nullable(Type.Object({ collection: Type.Boolean(), delivery: Type.Boolean() })),
  /** Null while it signs. */
  haltedReason: Nullable(Type.String()),
  haltedAt: Nullable(IsoDate),
  nextNonce: Count,
  chainNonce: Nullable(Count),
  /** Signed nonces that are in no block. */
  nonceGap: Nullable(Count),
  openTransactions: Count,
  oldestOpen: Nullable(IsoDate),
  /** Hours at the present rate, at least ten deliveries an hour. */
  balance: Nullable(Type.Object({ wei: Type.String(), deliveriesLeft: Type.Number(), hoursLeft: Type.Number() })),
})

/**
 * Whether the chain delivers now. Ages of the newest block, and of the newest final block whose logs are applied; null
 * while there is none. `refusal`: why purchases are 503. `chain_late` and `finality_late`: that block is older than ten
 * minutes; `fee_cap`: the base fee is above CHAIN_MAX_FEE_GWEI, and nothing is signed.
 */
export type ChainState = Static<typeof ChainState>
export const ChainState = Type.Object({
  headAgeSeconds: Nullable(Type.Number()),
  indexAgeSeconds: Nullable(Type.Number()),
  baseFeeGwei: Nullable(Type.Number()),
  maxFeeGwei: Type.Number(),
  refusal: Nullable(Type.Enum(['chain_late', 'finality_late', 'fee_cap'])),
})

/** Values from the chain are null while its node does not respond. */
export type OpsStatus = Static<typeof OpsStatus>
export const OpsStatus = Type.Object({
  signers: Type.Array(SignerStatus),
  deliveries: Type.Object({
    waiting: Count,
    signed: Count,
    /** The open delivery that is oldest, and why it was tried in vain if it waits. */
    oldest: Nullable(
      Type.Object({
        lineId: Id,
        state: Type.Enum(['waiting', 'signed']),
        since: IsoDate,
        note: Nullable(Type.String()),
      }),
    ),
  }),
  mintsWaiting: Count,
  chain: Nullable(ChainState),
  index: Type.Object({
    block: Nullable(Count),
    finalBlock: Nullable(Count),
    haltedReason: Nullable(Type.String()),
  }),
  /** How long no new block has been final although a node calls newer ones final; zero and null otherwise. */
  finality: Type.Object({ waitSeconds: Type.Number(), reason: Nullable(Type.String()) }),
  /** Final transactions that have left their block, with the lines and mints that they carried. */
  auditFindings: Type.Array(
    Type.Object({
      hash: Type.String(),
      block: Count,
      lines: Type.Array(Id),
      mints: Type.Array(Id),
      foundAt: IsoDate,
    }),
  ),
})
export const getStatus = endpoint({
  summary: 'Returns the state of chain, signers and transactions',
  method: 'GET',
  path: '/internal/ops/status',
  access: 'operator',
  role: 'chain',
  confirm: 'never',
  response: OpsStatus,
})

/**
 * `due_now`: it was waiting. `fee_bump_requested`: signed again at a higher fee. Without effect: `mined` waits for a
 * final block, `nonce_used` by another transaction, `cancelling` is past its deadline or stopped, `fee_cap` pays the
 * maximum fee already, `key_missing` was signed by a key that is not configured.
 */
export type RetryResult = Static<typeof RetryResult>
export const RetryResult = Type.Enum([
  'due_now',
  'fee_bump_requested',
  'mined',
  'nonce_used',
  'cancelling',
  'fee_cap',
  'key_missing',
])

export const retryDelivery = endpoint({
  summary: 'Makes a waiting delivery due now, or raises the fee of a signed one',
  description: '409 `delivery_over` otherwise.',
  method: 'POST',
  path: '/internal/ops/retry-delivery',
  access: 'operator',
  role: 'chain',
  confirm: 'never',
  body: Type.Object({ lineId: Id, ...operatorAction }),
  response: Type.Object({ state: Type.String(), result: RetryResult, signer: Nullable(Type.String()) }),
})

export const listSigners = endpoint({
  summary: 'Lists all signers',
  description: 'And the contracts whose owner adds and removes them.',
  method: 'GET',
  path: '/internal/ops/signers',
  access: 'operator',
  role: 'chain',
  confirm: 'never',
  response: Type.Object({
    chainId: Count,
    collection: Type.String(),
    delivery: Type.String(),
    signers: Type.Array(SignerStatus),
  }),
})

export const setSignerState = endpoint({
  summary: 'Changes the state of a signer',
  method: 'POST',
  path: '/internal/ops/set-signer-state',
  access: 'operator',
  role: 'chain',
  confirm: 'always',
  body: Type.Object({ address: Type.String(), state: Type.Enum(['active', 'draining']), ...operatorAction }),
  response: Done,
})

export const resumeSigner = endpoint({
  summary: 'Resumes a halted signer',
  description: 'After an operator has found the reason. 409 `not_halted`.',
  method: 'POST',
  path: '/internal/ops/resume-signer',
  access: 'operator',
  role: 'chain',
  confirm: 'always',
  body: Type.Object({ address: Type.String(), ...operatorAction }),
  response: Type.Object({ lost: Count, nextNonce: Count }),
})

export const findHandBack = endpoint({
  summary: 'Finds the deleted account of a code',
  description: 'And from when on its works are handed back. Refused as `handBackWorks`.',
  method: 'POST',
  path: '/internal/ops/find-hand-back',
  access: 'operator',
  role: 'owner',
  confirm: 'never',
  body: Type.Object({ code: Id }),
  response: Type.Object({ userId: Id, deletedAt: IsoDate, from: IsoDate }),
})

export const handBackWorks = endpoint({
  summary: 'Hands back the works of a deleted account',
  description:
    'Queues withdrawals of all works that it gave up, to a wallet, with the code of the mail about the deletion. ' +
    'Idempotent. 404 `hand_back_not_found` for an unknown code, 409 `hand_back_waits` with `details.until` in the ' +
    'first 24 hours after the deletion, `hand_back_over` from 30 days on.',
  method: 'POST',
  path: '/internal/ops/hand-back-works',
  access: 'operator',
  role: 'owner',
  confirm: 'always',
  body: Type.Object({ code: Id, wallet: Type.String(), ...operatorAction }),
  response: Type.Object({ withdrawals: Type.Array(Withdrawal) }),
})

export const closeFinding = endpoint({
  summary: 'Closes a finding of the audit',
  description:
    'Or what a transaction delivered without a line of the store, after an operator has settled it. 404 ' +
    '`finding_not_found`.',
  method: 'POST',
  path: '/internal/ops/close-finding',
  access: 'operator',
  role: 'chain',
  confirm: 'never',
  body: Type.Object({ hash: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }), ...operatorAction }),
  response: Done,
})

/** A gift, newest first, with the state of its last claim on the chain. Addresses are gone a month after its end. */
export type GiftForOperator = Static<typeof GiftForOperator>
export const GiftForOperator = Type.Object({
  _id: Id,
  state: Type.Enum(giftStates),
  token: Type.String(),
  name: Type.String(),
  giverId: Id,
  recipientId: Nullable(Id),
  orderId: Nullable(Id),
  email: Nullable(Type.String()),
  until: Nullable(IsoDate),
  /** Of the delivery of its last claim, for `retryDelivery`. */
  deliveryId: Nullable(Id),
  txHash: Nullable(Type.String()),
  createdAt: IsoDate,
})

export const findGifts = endpoint({
  summary: 'Finds gifts',
  description: 'By its own id, or that of its order, line, giver or recipient; at most 100.',
  method: 'GET',
  path: '/internal/ops/gifts/:id',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  params: Type.Object({ id: Id }),
  response: Type.Object({ gifts: Type.Array(GiftForOperator) }),
})
