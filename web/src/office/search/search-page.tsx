import { describeAccount } from '@nifty/api/auth/ops'
import { findGifts } from '@nifty/api/minting/ops'
import { orderNumber, parseOrderNumber } from '@nifty/api/order-number'
import { findOrdersByNumber, getOrderHistory } from '@nifty/api/payments/ops'
import { useLocation } from 'react-router-dom'
import { Link } from '../../ui/link.tsx'
import { Page } from '../shell/page.tsx'
import type { SearchState } from '../shell/search-field.tsx'
import { type Loaded, useStore } from '../store/use-store.ts'
import { isId } from '../table/format.ts'
import { Section } from '../table/section.tsx'
import { Table } from '../table/table.tsx'

/** What is found for the text of the search field, in every service that may have it. */
export function SearchPage() {
  const { search = '' } = (useLocation().state as SearchState | null) ?? {}
  return (
    <Page title={search ? `Found for “${search}”` : 'Search'}>
      {search ? <Found key={search} search={search} /> : <p>The field above finds orders, accounts and gifts.</p>}
    </Page>
  )
}

type Found = { path: string; what: string; about: string }

function Found({ search }: { search: string }) {
  const number = parseOrderNumber(search)
  const id = isId(search) ? search : null
  const numbered = useStore('payments', findOrdersByNumber, number === null ? null : { params: { number } })
  const order = useStore('payments', getOrderHistory, id === null ? null : { params: { id } })
  const account = useStore('auth', describeAccount, id || search.includes('@') ? { body: { account: search } } : null)
  const gifts = useStore('minting', findGifts, id === null ? null : { params: { id } })
  return (
    <>
      {number !== null && (
        <Group
          title="Orders"
          loaded={numbered}
          rows={({ orders }) =>
            orders.map(({ _id, since }) => ({ path: `/orders/${_id}`, what: orderNumber(_id), about: since }))
          }
        />
      )}
      {id !== null && (
        <Group
          title="Order"
          loaded={order}
          rows={({ order: { _id, state } }) => [{ path: `/orders/${_id}`, what: orderNumber(_id), about: state }]}
        />
      )}
      {(id !== null || search.includes('@')) && (
        <Group
          title="Account"
          loaded={account}
          rows={({ userId, username, email }) => [{ path: `/accounts/${userId}`, what: username, about: email }]}
        />
      )}
      {id !== null && (
        <Group
          title="Gifts"
          loaded={gifts}
          rows={({ gifts }) =>
            gifts.map(({ giverId, name, state }) => ({ path: `/accounts/${giverId}`, what: name, about: state }))
          }
        />
      )}
      {number === null && id === null && !search.includes('@') && (
        <p>That is neither the number of an order, an id nor an e-mail address.</p>
      )}
    </>
  )
}

type GroupProps<Data> = { title: string; loaded: Loaded<Data>; rows: (data: Data) => Found[] }

/** What is not there is no failure. */
function Group<Data>({ title, loaded, rows }: GroupProps<Data>) {
  const isMissing = loaded.error?.status === 404
  return (
    <Section
      title={title}
      loaded={{
        data: isMissing ? [] : loaded.data && rows(loaded.data),
        error: isMissing ? undefined : loaded.error,
        reload: loaded.reload,
      }}
    >
      {(found) => (
        <Table
          caption={title}
          rows={found}
          rowKey={({ path, what }) => `${path} ${what}`}
          empty="Nothing."
          columns={[
            { title: 'Found', cell: ({ path, what }) => <Link to={path}>{what}</Link> },
            { title: 'About', cell: ({ about }) => about },
          ]}
        />
      )}
    </Section>
  )
}
