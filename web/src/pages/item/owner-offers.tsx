import type { NftDetail } from '@nifty/api/catalog/public'
import { useConfig } from '../../api/use-config.ts'
import { OfferMinimum } from '../../selling/offer-minimum.tsx'
import { ReceivedOffers } from '../../selling/received-offers.tsx'
import { useReceivedOffers } from '../../selling/use-received-offers.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/state.tsx'
import type { SignPermit } from '../../wallet/use-sign-permit.ts'

type Props = {
  item: NftDetail
  /** The item of the response; undefined where it is to be fetched again. */
  onChanged: (item: NftDetail | undefined) => void
  signPermit: SignPermit
}

/** For an owner with the right to sell: from which price on offers are taken, and those for this work. */
export function OwnerOffers({ item, onChanged, signPermit }: Props) {
  const { offers: isOn } = useConfig()
  const received = useReceivedOffers()
  const offers = received.offers.filter(({ itemId }) => itemId === item._id)
  if (!isOn && offers.length === 0) return null
  return (
    <section className="panel__part" aria-label="Offers" tabIndex={-1}>
      <h2 className="panel__label">Offers</h2>
      {received.error && offers.length === 0 && (
        <Empty title="Your offers could not be loaded.">
          <Button variant="secondary" onClick={() => void received.reload()}>
            Try again
          </Button>
        </Empty>
      )}
      <ReceivedOffers
        offers={offers}
        signPermit={signPermit}
        onChanged={() => {
          onChanged(undefined)
          return received.reload()
        }}
      />
      {isOn && <OfferMinimum item={item} onChanged={onChanged} />}
    </section>
  )
}
