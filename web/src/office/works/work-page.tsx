import { describeItem, type FoundItem } from '@nifty/api/catalog/item-search'
import { itemPath } from '@nifty/api/pages'
import { freeItem } from '@nifty/api/payments/ops'
import { useParams } from 'react-router-dom'
import { Facts } from '../../ui/facts.tsx'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { Action } from '../action/action.tsx'
import { FoundAuctions } from '../auctions/found-auctions.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { FoundOffers } from '../offers/found-offers.tsx'
import { FoundOrders } from '../orders/found-orders.tsx'
import { Page } from '../shell/page.tsx'
import { usePublicUrl } from '../store/public-url.ts'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { ActionLog } from '../system/audit.tsx'
import { TransactionHash } from '../table/copied.tsx'
import { part } from '../table/part.ts'
import { Contents, Section } from '../table/section.tsx'
import { Table } from '../table/table.tsx'
import { ItemState, VisibilityAction } from './found-works.tsx'
import { WorkPicture } from './work-picture.tsx'

/** One work: its owners, its reservation, its orders and what operators did to it. */
export function WorkPage() {
  const { id = '' } = useParams()
  const loaded = useStore('catalog', describeItem, { params: { id } })
  const publicUrl = usePublicUrl()
  return (
    <Page
      title={loaded.data?.item.name ?? 'Work'}
      aside={
        loaded.data && (
          <div className="actions">
            <VisibilityAction item={loaded.data.item} />
            {loaded.data.reservation && <FreeAction itemId={id} />}
          </div>
        )
      }
    >
      <Contents loaded={loaded}>
        {({ item, wallet, listedAt, delistedAt, reservation, hidden, description }) => (
          <>
            <Facts
              className="facts"
              entries={[
                ['State', <ItemState key="state" item={item} />],
                ['Hidden because', hidden && `${hidden.reason} (${hidden.operator})`],
                ['Price', item.price !== null && !item.onAuction && <Price key="price" euros={item.price} />],
                ['Artist', <AccountLink key="artist" id={item.creatorId} name={item.creatorUsername} />],
                ['Owner', item.ownerId && <AccountLink key="owner" id={item.ownerId} name={item.ownerUsername} />],
                ['Held in', wallet ?? 'the store’s custody'],
                ['Listed', listedAt && <Time key="listed" at={listedAt} />],
                ['Delisted', delistedAt && <Time key="delisted" at={delistedAt} />],
                ['Reserved for', reservation && <OrderLink key="order" id={reservation.orderId} />],
                ['Minted', <Time key="minted" at={item.mintedAt} />],
                [
                  'Token',
                  <span key="token" className="mono">
                    {item.token}
                  </span>,
                ],
                ['Id', item.itemId],
                [
                  'Page in the store',
                  publicUrl && !item.hiddenBy && (
                    <a key="page" href={`${publicUrl}${pathOf(item)}`} target="_blank" rel="noreferrer">
                      Open it
                    </a>
                  ),
                ],
              ]}
            />
            <WorkPicture image={item.image} size="large" />
            <p className="written">{description}</p>
          </>
        )}
      </Contents>
      <Section title="History" loaded={part(loaded, ({ history }) => history)}>
        {(history) => (
          <Table
            caption="History of the work"
            rows={history}
            rowKey={(entry) => JSON.stringify(entry)}
            empty="Nothing happened yet."
            columns={[
              { title: 'At', cell: ({ at }) => <Time at={at} as="recent" /> },
              {
                title: 'What',
                cell: ({ what, custody }) => [what, custody && `custody ${custody}`].filter(Boolean).join(', '),
              },
              {
                title: 'Account',
                cell: ({ userId, username }) => userId && <AccountLink id={userId} name={username} />,
              },
              { title: 'Transaction', cell: ({ txHash }) => txHash && <TransactionHash hash={txHash} /> },
              { title: 'Price', isNumber: true, cell: ({ price }) => price !== null && <Price euros={price} /> },
            ]}
          />
        )}
      </Section>
      <FoundOrders title="Orders" search={{ itemId: id }} empty="It was never ordered." />
      <FoundOffers title="Offers" search={{ itemId: id, state: 'any' }} empty="Nobody made an offer for it." />
      <FoundAuctions title="Auctions" search={{ itemId: id, state: 'any' }} empty="It was never on auction." />
      <ActionLog title="What operators did with it" subject={id} />
    </Page>
  )
}

function pathOf({ token, ownerUsername }: FoundItem): string {
  const [contract, identifier] = token.split('/')
  return itemPath({ ownerUsername, contract: contract!, identifier: identifier! })
}

const FreeAction = ({ itemId }: { itemId: string }) => (
  <Action
    label="Free…"
    title="Free the work"
    effects={<p>A reservation ends for which payments has no open order. One that has is refused.</p>}
    run={async ({ reason }) => {
      const { orderId } = await request('payments', freeItem, { body: { itemId, reason } })
      return (
        <>
          The work is being freed: order <OrderLink id={orderId} /> does not hold it.
        </>
      )
    }}
  />
)
