import { conflict } from '@nifty/service-kit/base/errors'

/** A wallet that was linked without a step-up counts for one only so long after it was proven. */
export const WALLET_AGE_HOURS = 24

export const walletTooNew = () =>
  conflict('wallet_too_new', 'Your wallet was linked less than 24 hours ago. Please use your password.')
