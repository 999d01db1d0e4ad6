/** Operators' endpoints that stop new sales for a while, on the internal port of payments. */
import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { IsoDate, Nullable, operatorAction } from '../shapes.ts'

const Pause = Type.Object({
  /** Null while orders can be started. */
  pause: Nullable(Type.Object({ until: IsoDate, by: Type.String(), reason: Type.String() })),
})

export const getSalesPause = endpoint({
  summary: 'Returns until when no order can be started',
  method: 'GET',
  path: '/internal/ops/sales-pause',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  response: Pause,
})

export const pauseSales = endpoint({
  summary: 'Stops new orders for some minutes',
  description:
    'Purchases are 503 `sales_paused`. Orders that exist are paid, delivered and charged. 0 minutes end the pause.',
  method: 'POST',
  path: '/internal/ops/sales-pause',
  access: 'operator',
  role: 'owner',
  confirm: 'always',
  body: Type.Object({ minutes: Type.Integer({ minimum: 0, maximum: 1_440 }), ...operatorAction }),
  response: Pause,
})
