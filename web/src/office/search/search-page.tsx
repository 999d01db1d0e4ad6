import { parseLookup } from '@nifty/api/lookup'
import { findGifts } from '@nifty/api/minting/ops'
import { orderSearchOf } from '@nifty/api/payments/order-lookup'
import { useLocation } from 'react-router-dom'
import { FoundAccounts } from '../accounts/found-accounts.tsx'
import { FoundAuctions } from '../auctions/found-auctions.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { FoundOrders } from '../orders/found-orders.tsx'
import { OrdersOfAccounts } from '../orders/orders-of-accounts.tsx'
import { Page } from '../shell/page.tsx'
import type { SearchState } from '../shell/search-field.tsx'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'
import { FoundWorks } from '../works/found-works.tsx'

/** What is found for the text of the search field, in every service that may have it. */
export function SearchPage() {
  const { search = '' } = (useLocation().state as SearchState | null) ?? {}
  return (
    <Page title={search ? `Found for “${search}”` : 'Search'}>
      {search ? (
        <Found key={search} search={search} />
      ) : (
        <p>
          The field above finds orders, offers, bids, auctions, accounts, works and gifts by what people see of them.
        </p>
      )}
    </Page>
  )
}

const kindsOfAccounts = ['id', 'email', 'username', 'wallet', 'text']
const kindsOfWorks = ['id', 'token', 'text']

function Found({ search }: { search: string }) {
  const lookup = parseLookup(search)
  const order = orderSearchOf(lookup)
  const hasAccounts = kindsOfAccounts.includes(lookup.kind)
  return (
    <>
      {order && <FoundOrders title="Orders" search={order} empty="No order has that." />}
      {hasAccounts && <FoundAccounts title="Accounts" search={{ search }} />}
      {hasAccounts && <OrdersOfAccounts search={search} />}
      {kindsOfWorks.includes(lookup.kind) && <FoundWorks title="Works" search={{ search }} />}
      {lookup.kind === 'id' && (
        <FoundAuctions title="Auctions" search={{ id: lookup.id, state: 'any' }} empty="No auction has this id." />
      )}
      {lookup.kind === 'id' && <Gifts id={lookup.id} />}
      {lookup.kind === 'reversal' && <p>Refunds, disputes and warnings are on the pages Today and Disputes.</p>}
    </>
  )
}

function Gifts({ id }: { id: string }) {
  const loaded = useStore('minting', findGifts, { params: { id } })
  return (
    <Section title="Gifts" loaded={loaded}>
      {({ gifts }) => (
        <Table
          caption="Gifts"
          rows={gifts}
          rowKey={({ _id }) => _id}
          empty="No gift."
          columns={[
            { title: 'Work', cell: ({ name }) => name },
            { title: 'State', cell: ({ state }) => <State name={state} /> },
            { title: 'Giver', cell: ({ giverId }) => <AccountLink id={giverId} /> },
          ]}
        />
      )}
    </Section>
  )
}
