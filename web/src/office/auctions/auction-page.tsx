import { type FoundAuction, type FoundBid, getAuction } from '@nifty/api/catalog/auction-search'
import { useParams } from 'react-router-dom'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { EndedState } from '../endings/ended-state.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { NamedAccount } from '../links/named-account.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { useAccounts } from '../links/use-accounts.ts'
import { Page } from '../shell/page.tsx'
import { useStore } from '../store/use-store.ts'
import { ActionLog } from '../system/audit.tsx'
import { Contents } from '../table/section.tsx'
import { Table } from '../table/table.tsx'
import { AuctionEnd, voidedWords } from './found-auctions.tsx'
import { VoidAuction } from './void-auction.tsx'

/** One auction with all its bids and the most that each bidder would pay. */
export function AuctionPage() {
  const { id = '' } = useParams()
  const loaded = useStore('catalog', getAuction, { params: { id } }, { refreshInterval: 10_000 })
  const auction = loaded.data?.auction
  return (
    <Page
      title={auction ? `Auction of ${auction.name}` : 'Auction'}
      aside={
        auction?.state === 'open' && (
          <div className="actions">
            <VoidAuction auction={auction} />
          </div>
        )
      }
    >
      <Contents loaded={loaded}>
        {(found) => (
          <>
            <AuctionFacts auction={found.auction} />
            <section className="section" aria-labelledby="bids">
              <h2 id="bids">All bids</h2>
              <p className="muted">
                Also those that did not stand, because their card was not held or they were too low.
              </p>
              <Bids bids={found.bids} />
            </section>
          </>
        )}
      </Contents>
      <ActionLog title="What operators did with it" subject={id} />
    </Page>
  )
}

const AuctionFacts = ({ auction }: { auction: FoundAuction }) => (
  <Facts
    className="facts"
    entries={[
      ['State', <EndedState key="state" of="auction" state={auction.state} why={auction.why} />],
      [
        'Work',
        <Link key="work" to={`/works/${auction.itemId}`}>
          {auction.name}
        </Link>,
      ],
      ['Seller', <NamedAccount key="seller" id={auction.sellerId} />],
      ['Of the seller', auction.sellerVoided > 0 && voidedWords(auction.sellerVoided)],
      ['Bids that stood', String(auction.bids)],
      ['Opening price', <Price key="opening" euros={auction.opening} />],
      ['Price', auction.price !== null && <Price key="price" euros={auction.price} />],
      ['Runs for', `${auction.hours} h`],
      ['Created', <Time key="created" at={auction.createdAt} />],
      ['Starts', auction.startsAt ? <Time key="starts" at={auction.startsAt} /> : 'with the first bid'],
      ['End', <AuctionEnd key="end" auction={auction} />],
      [
        'At the latest',
        auction.state === 'open' && auction.latestEndAt && <Time key="latest" at={auction.latestEndAt} />,
      ],
    ]}
  />
)

function Bids({ bids }: { bids: FoundBid[] }) {
  const names = useAccounts(bids.map(({ bidderId }) => bidderId))
  return (
    <Table<FoundBid>
      caption="Bids"
      rows={bids}
      rowKey={({ orderId }) => orderId}
      empty="Nobody bid."
      columns={[
        { title: 'Bid', cell: ({ orderId }) => <OrderLink id={orderId} /> },
        {
          title: 'Bidder',
          cell: ({ bidderId }) => <AccountLink id={bidderId} name={names.get(bidderId)?.username} />,
        },
        { title: 'State', cell: ({ state, why }) => <EndedState of="bid" state={state} why={why} /> },
        { title: 'Begun', cell: ({ startedAt }) => <Time at={startedAt} as="recent" /> },
        { title: 'Stood', cell: ({ stoodAt }) => stoodAt && <Time at={stoodAt} as="recent" /> },
        { title: 'Most', isNumber: true, cell: ({ limit }) => <Price euros={limit} /> },
        { title: 'Price', isNumber: true, cell: ({ price }) => price !== null && <Price euros={price} /> },
      ]}
    />
  )
}
