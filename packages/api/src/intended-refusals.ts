/**
 * Codes of 503 by which the store refuses purchases on purpose, while nothing could be delivered or paid. They have
 * alerts of their own, so they do not count as errors.
 */
export const intendedRefusals = [
  'gas_low',
  'signer_halted',
  'chain_unavailable',
  'chain_late',
  'fee_cap',
  'payments_unavailable',
  'sales_paused',
] as const
export type IntendedRefusal = (typeof intendedRefusals)[number]
