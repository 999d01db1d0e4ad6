import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useConfig } from '../../api/use-config.ts'
import { isFinal, offerFor } from '../../orders/order.ts'
import { useOffers } from '../../orders/use-orders.ts'

/**
 * The buyer's offer for a work, which stays when the work has arrived while the page is open. `asked`: the order from
 * whose payment page the buyer comes back.
 */
export function useOwnOffer(itemId: string, { enabled }: { enabled: boolean }) {
  const { offers } = useConfig()
  const [params] = useSearchParams()
  const asked = params.get('offer')
  const { orders, loading, mutate } = useOffers({ enabled: enabled && (offers === true || asked !== null) })
  const [followed, follow] = useState<string>()
  const offer = offerFor(orders, itemId, { asked, followed, now: Date.now() })
  if (offer && !isFinal(offer) && offer._id !== followed) follow(offer._id)
  return { offer, asked, loading, reload: () => void mutate() }
}
