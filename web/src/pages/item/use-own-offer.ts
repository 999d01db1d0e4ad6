import { useSearchParams } from 'react-router-dom'
import { useConfig } from '../../api/use-config.ts'
import { offerFor } from '../../orders/order.ts'
import { useOffers } from '../../orders/use-orders.ts'

/** The buyer's offer for a work. `asked`: the order from whose payment page the buyer comes back. */
export function useOwnOffer(itemId: string, { enabled }: { enabled: boolean }) {
  const { offers } = useConfig()
  const [params] = useSearchParams()
  const asked = params.get('offer')
  const { orders, loading, mutate } = useOffers({ enabled: enabled && (offers === true || asked !== null) })
  return { offer: offerFor(orders, itemId, { asked, now: Date.now() }), asked, loading, reload: () => void mutate() }
}
