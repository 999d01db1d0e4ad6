import type { RetryResult } from './ops.ts'

const outcomes: Record<RetryResult, (signer: string | null) => string> = {
  due_now: () => 'The delivery waits, and is tried again now.',
  fee_bump_requested: () => 'The delivery is signed. Its transaction is sent again with a higher fee.',
  mined: () => 'Nothing to retry: the transaction is in a block and waits for finality.',
  nonce_used: (signer) =>
    `Nothing was retried: the chain has a transaction on its nonce. If it is not ours, ${signer} halts after ten final blocks: runbook NiftySignerHalted.`,
  cancelling: () =>
    'Nothing was retried: the delivery was stopped or is past its deadline, and its nonce is cancelled.',
  fee_cap: () => 'Nothing was retried: the transaction pays CHAIN_MAX_FEE_GWEI already.',
  key_missing: (signer) =>
    `Nothing was retried: ${signer} signed the delivery, and its key is not configured. Configure it, or let another key deliver: \`pnpm ops signers remove ${signer}\`.`,
}

/** What became of a retry, as a sentence for operators. */
export const retryOutcome = ({ result, signer }: { result: RetryResult; signer: string | null }) =>
  outcomes[result](signer)
