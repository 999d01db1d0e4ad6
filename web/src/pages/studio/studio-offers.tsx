import { useEffect, useRef } from 'react'
import { useConfig } from '../../api/use-config.ts'
import { ReceivedOffers } from '../../selling/received-offers.tsx'
import { acceptedHasLeft, useReceivedOffers } from '../../selling/use-received-offers.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'
import { useSignPermit } from '../../wallet/use-sign-permit.ts'

/** The offers for all works of the creator. `onChanged`: one was decided, or an accepted one is over. */
export function StudioOffers({ onChanged }: { onChanged: () => void }) {
  const { offers: isOn } = useConfig()
  const { offers, loading, error, reload } = useReceivedOffers()
  const signPermit = useSignPermit()
  const before = useRef(offers)
  useEffect(() => {
    if (acceptedHasLeft(before.current, offers)) onChanged()
    before.current = offers
  }, [offers, onChanged])
  if (!isOn && offers.length === 0) return null
  return (
    <section aria-labelledby="offers">
      <h2 id="offers">Offers</h2>
      {loading && <Spinner label="Loading your offers" />}
      {error && offers.length === 0 && (
        <Empty title="Your offers could not be loaded.">
          <Button variant="secondary" onClick={() => void reload()}>
            Try again
          </Button>
        </Empty>
      )}
      {!loading && !error && offers.length === 0 && (
        <Empty title="No offers are open">
          <p>Choose Manage beside a work of yours to take offers for it, from a price on that you set.</p>
        </Empty>
      )}
      <ReceivedOffers
        named
        offers={offers}
        signPermit={signPermit}
        onChanged={() => {
          onChanged()
          return reload()
        }}
      />
    </section>
  )
}
