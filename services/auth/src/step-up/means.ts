import type { StepUpMeans, StepUpProofs } from '@nifty/api/auth/step-up'
import type { ExistingAccount } from '../accounts/account.ts'
import type { LoginDeps } from '../logins/login.actions.ts'
import { passkeyMeans } from './passkey.ts'
import { passwordAndCodeMeans, passwordMeans } from './password.ts'
import { walletMeans } from './wallet.ts'

/** One way in which the owner of an account proves to be present. */
export type Means<Proof> = {
  isAvailable: (deps: LoginDeps, account: ExistingAccount) => Promise<boolean>
  /** Throws an ExpectedError unless the proof is right. */
  check: (deps: LoginDeps, attempt: { account: ExistingAccount; proof: Proof; ip: string }) => Promise<void>
}

export const means: { [name in StepUpMeans]: Means<StepUpProofs[name]> } = {
  password: passwordMeans,
  passwordAndCode: passwordAndCodeMeans,
  wallet: walletMeans,
  passkey: passkeyMeans,
}
