import { conflict } from '@nifty/service-kit/base/errors'
import type { ExistingAccount } from '../accounts/account.ts'
import type { LoginDeps } from '../logins/login.actions.ts'

/** One way in which the owner of an account proves to be present. */
export type AuthenticationMethod<Proof> = {
  isAvailable: (deps: LoginDeps, account: ExistingAccount) => Promise<boolean>
  /** Throws an ExpectedError unless the proof is right. */
  check: (deps: LoginDeps, attempt: { account: ExistingAccount; proof: Proof; ip: string }) => Promise<void>
}

/** A wallet that was linked without a step-up counts for one only so long after it was proven. */
export const WALLET_AGE_HOURS = 24

export const walletTooNew = () =>
  conflict('wallet_too_new', 'Your wallet was linked less than 24 hours ago. Please use your password.')
