import { listOffers } from '@nifty/api/catalog/offer-search'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/time.tsx'
import { EndedState } from '../endings/ended-state.tsx'
import { NamedAccount } from '../links/named-account.tsx'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'

/** An offer as catalog has it, which decides it. */
export function OfferInCatalog({ orderId }: { orderId: string }) {
  const query = { orderId, state: 'any' as const }
  const loaded = useStore('catalog', listOffers, { query }, { refreshInterval: 10_000 })
  return (
    <Section title="The offer" about="As catalog has it, which decides about it." loaded={loaded}>
      {({ offers: [offer] }) =>
        offer ? (
          <Facts
            className="facts"
            entries={[
              ['State', <EndedState key="state" of="offer" state={offer.state} why={offer.why} />],
              ['Owner', <NamedAccount key="owner" id={offer.ownerId} />],
              ['Open for', `${offer.days} ${offer.days === 1 ? 'day' : 'days'}`],
              ['Begun', <Time key="begun" at={offer.startedAt} />],
              [
                'Ends',
                offer.state === 'started'
                  ? 'once its card is held, and those days later'
                  : offer.state === 'open' && offer.endsAt && <Time key="ends" at={offer.endsAt} />,
              ],
              ['Ended', offer.endedAt && <Time key="ended" at={offer.endedAt} />],
            ]}
          />
        ) : (
          <p>Catalog does not have it.</p>
        )
      }
    </Section>
  )
}
