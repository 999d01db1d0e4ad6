import { defineEvent } from '@nifty/events/define-event'
import { deliveryFinal } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import type { Subscription } from '@nifty/service-kit/messaging/inbox'
import { Type } from 'typebox'

const { wallet, ...rest } = deliveryFinal.data.properties

/** A field is renamed, which needs a new version. */
export const deliveryFinalV2 = defineEvent({
  name: 'minting.delivery-final.v2',
  key: 'token',
  consumers: deliveryFinal.consumers,
  data: Type.Object({ ...rest, recipient: wallet }),
})

/**
 * The subscriptions of the next version: both versions of `delivery-final` have the same handler, and each line that
 * was read is stored in `next_version_read`, with the event's new field.
 */
export const subscriptionsOfNextVersion = (subscriptions: Subscription<any>[]): Subscription<any>[] =>
  subscriptions.flatMap((subscription) => {
    if (subscription.event.name === orderLineAuthorised.name) return [noted(subscription)]
    if (subscription.event.name !== deliveryFinal.name) return [subscription]
    return [noted(subscription), noted({ ...subscription, event: deliveryFinalV2 })]
  })

const noted = ({ event, handle }: Subscription<any>): Subscription<any> => ({
  event,
  handle: async (trx, data) => {
    const { lineId, nextVersionNote: note } = data
    await trx.insertInto('nextVersionRead').values({ name: event.name, lineId, note }).execute()
    await handle(trx, data)
  },
})
