/** States of a line of an order. */
export const lineStates = [
  'placed',
  'awaiting_payment',
  'held',
  'authorised',
  'delivering',
  'delivered',
  'capture_due',
  'completed',
  'released',
  'written_off',
  'refunded',
  'disputed',
] as const

export type LineState = (typeof lineStates)[number]
