import type { Withdrawer } from '@nifty/api/auth/internal'
import type { Withdrawal as WithdrawalResponse } from '@nifty/api/minting/public'
import { checkedAddress } from '@nifty/contracts/address'
import { conflict, forbidden } from '@nifty/service-kit/base/errors'
import type { KnownDelivery } from '../deliveries/delivery.ts'
import type { Token } from '../tokens/token.store.ts'

/** A delivery without an order, out of custody into the owner's linked wallet. */
export type Withdrawal = KnownDelivery & { wallet: string; attemptHash?: string | null }

const states = { waiting: 'accepted', signed: 'sent', final: 'final', failed: 'failed', stopped: 'failed' } as const

export const toResponse = (withdrawal: Withdrawal, contract: string): WithdrawalResponse => ({
  _id: withdrawal.lineId,
  contract,
  identifier: withdrawal.token.split('/')[1]!,
  wallet: checkedAddress(withdrawal.wallet)!,
  state: states[withdrawal.state],
  txHash: withdrawal.txHash ?? withdrawal.attemptHash ?? null,
  createdAt: withdrawal.createdAt.toISOString(),
})

/** Only the owner may withdraw, and only a token in custody that is not listed and whose payment no bank contests. */
export function assertMayWithdraw(
  { ownerId, custodyAccount }: Token,
  { userId, listed, contested, wallet }: { userId: string; listed: boolean; contested: boolean; wallet: string | null },
) {
  if (ownerId !== userId) throw forbidden('not_owner', 'Forbidden')
  if (!custodyAccount) throw conflict('not_in_custody', 'This NFT is already in your wallet')
  if (wallet === null) throw conflict('wallet_required', 'Please connect your Metamask account.')
  if (contested)
    throw conflict(
      'work_contested',
      'The payment for this work is being examined. Until that is decided it stays as it is.',
    )
  if (listed) throw conflict('listed', 'Please remove the NFT from sale first')
}

export const suspended = () => forbidden('suspended', 'This account is suspended')

/** Where a thief could still be stopped: an address that the owner reads, and time to read it after a change. */
export function assertNoWait({ suspended: isSuspended, emailConfirmed, waitsUntil }: Withdrawer) {
  if (isSuspended) throw suspended()
  if (!emailConfirmed) throw forbidden('email_not_confirmed', 'Please confirm your e-mail address first.')
  if (waitsUntil === null) return
  throw conflict(
    'withdrawal_waits',
    'Your wallet, e-mail address or password was changed a short time ago. For your safety withdrawals wait.',
    { details: { until: waitsUntil } },
  )
}

/** A dispute about a stolen card comes later than the delivery: until then the work is what the store has. */
export function assertHoldOver(hold: { until: Date | null } | undefined, hours: number) {
  if (!hold) return
  const { until } = hold
  throw conflict(
    'custody_hold',
    `A work that was bought here can be moved to a wallet ${hours} hours after its payment.`,
    {
      details: until === null ? {} : { until: until.toISOString() },
    },
  )
}
