import { getAuction, listAuctions } from '@nifty/api/catalog/auction-search'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { EndedState } from '../endings/ended-state.tsx'
import { NamedAccount } from '../links/named-account.tsx'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { AuctionEnd } from './found-auctions.tsx'

/** A bid and its auction as catalog has them, which decides it. */
export function BidInCatalog({ orderId }: { orderId: string }) {
  const found = useStore('catalog', listAuctions, { query: { orderId, state: 'any' } })
  const id = found.data?.auctions[0]?.id
  const auction = useStore('catalog', getAuction, id ? { params: { id } } : null, { refreshInterval: 10_000 })
  const loaded = id ? auction : { ...found, data: found.data && null }
  return (
    <Section title="The bid" about="As catalog has it, which decides about it." loaded={loaded}>
      {(data) => {
        const bid = data?.bids.find((each) => each.orderId === orderId)
        if (!data || !bid) return <p>Catalog does not have it.</p>
        return (
          <Facts
            className="facts"
            entries={[
              ['State', <EndedState key="state" of="bid" state={bid.state} why={bid.why} />],
              [
                'Auction',
                <Link key="auction" to={`/auctions/${data.auction.id}`}>
                  Auction of {data.auction.name}
                </Link>,
              ],
              [
                'State of the auction',
                <EndedState key="auction-state" of="auction" state={data.auction.state} why={data.auction.why} />,
              ],
              ['Seller', <NamedAccount key="seller" id={data.auction.sellerId} />],
              ['The most it would pay', <Price key="limit" euros={bid.limit} />],
              ['Begun', <Time key="begun" at={bid.startedAt} />],
              ['Stood', bid.stoodAt && <Time key="stood" at={bid.stoodAt} />],
              ['Price then', bid.price !== null && <Price key="price" euros={bid.price} />],
              ['End of the auction', <AuctionEnd key="end" auction={data.auction} />],
            ]}
          />
        )
      }}
    </Section>
  )
}
