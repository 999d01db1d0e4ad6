import { type FoundItem, searchItems } from '@nifty/api/catalog/item-search'
import { hideItem, showItem } from '@nifty/api/catalog/ops'
import type { EndpointBody } from '@nifty/api/endpoint'
import type { ReactNode } from 'react'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { Action, Effects } from '../action/action.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'

type Props = { title: string; search: EndpointBody<typeof searchItems>; aside?: ReactNode }

/** Works that a search finds, hidden ones too; the first 50. */
export function FoundWorks({ title, search, aside }: Props) {
  const loaded = useStore('catalog', searchItems, { body: search })
  return (
    <Section title={title} loaded={loaded} aside={aside}>
      {({ items, next }) => (
        <>
          <Table
            caption={title}
            rows={items}
            rowKey={({ itemId }) => itemId}
            empty="No work."
            columns={[
              { title: 'Work', cell: ({ itemId, name }) => <Link to={`/works/${itemId}`}>{name}</Link> },
              {
                title: 'Artist',
                cell: ({ creatorId, creatorUsername }) => <AccountLink id={creatorId} name={creatorUsername} />,
              },
              {
                title: 'Owner',
                cell: ({ ownerId, ownerUsername }) => ownerId && <AccountLink id={ownerId} name={ownerUsername} />,
              },
              { title: 'State', cell: (item) => <ItemState item={item} /> },
              {
                title: 'Price',
                isNumber: true,
                // That of an auction has a list of its own.
                cell: ({ price, onAuction }) => price !== null && !onAuction && <Price euros={price} />,
              },
              {
                title: '',
                cell: (item) => (
                  <div className="table__actions">
                    <VisibilityAction item={item} />
                  </div>
                ),
              },
            ]}
          />
          {next && (
            <p className="muted">
              The first {items.length}. The search field above finds the others by title, artist or page.
            </p>
          )}
        </>
      )}
    </Section>
  )
}

export const ItemState = ({
  item: { hiddenBy, reservedOrderId, onAuction, forSale, featured },
}: {
  item: FoundItem
}) => (
  <>
    <State
      name={
        hiddenBy
          ? `hidden by ${hiddenBy}`
          : reservedOrderId
            ? 'reserved'
            : onAuction
              ? 'on auction'
              : forSale
                ? 'for sale'
                : 'not for sale'
      }
      kind={hiddenBy ? 'bad' : undefined}
    />{' '}
    {featured && 'featured'}
  </>
)

export const VisibilityAction = ({ item: { itemId, name, hiddenBy } }: { item: FoundItem }) =>
  hiddenBy === 'operator' ? (
    <Action
      label="Show…"
      title="Show the work again"
      effects={<p>“{name}” is on the public pages again.</p>}
      run={async ({ reason }) => {
        await request('catalog', showItem, { params: { id: itemId }, body: { reason } })
        return 'The work is visible again.'
      }}
    />
  ) : (
    <Action
      label="Hide…"
      title="Hide the work"
      variant="danger"
      effects={
        <Effects
          lines={[
            `“${name}” is on no public page`,
            'It is not for sale; a purchase under way goes on',
            'Its owner gets a mail with the reason',
          ]}
        />
      }
      run={async ({ reason }) => {
        await request('catalog', hideItem, { params: { id: itemId }, body: { reason } })
        return 'The work is hidden.'
      }}
    />
  )
