import { getDelivery } from '@nifty/api/minting/deliveries'
import { plural } from '@nifty/api/plural'
import { useParams } from 'react-router-dom'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Time } from '../../ui/time.tsx'
import { NamedAccount } from '../links/named-account.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { Page } from '../shell/page.tsx'
import { useStore } from '../store/use-store.ts'
import { ActionLog } from '../system/audit.tsx'
import { Copied } from '../table/copied.tsx'
import { part } from '../table/part.ts'
import { Contents, Section } from '../table/section.tsx'
import { Table } from '../table/table.tsx'
import { DeliveryState, kinds } from './delivery-state.tsx'
import { RetryAction } from './retry-action.tsx'

/** One delivery: where it goes, its transaction with the attempts and what it cost. */
export function DeliveryPage() {
  const { id = '' } = useParams()
  const loaded = useStore('minting', getDelivery, { params: { lineId: id } }, { refreshInterval: 10_000 })
  const { data } = loaded
  const isOpen = data?.state === 'waiting' || data?.state === 'signed'
  return (
    <Page
      title="Delivery"
      aside={
        isOpen && (
          <div className="actions">
            <RetryAction lineId={id} />
          </div>
        )
      }
    >
      <Contents loaded={loaded}>
        {({ kind, state, orderId, itemId, token, buyerId, wallet, deliverBy, txHash, transaction, ...delivery }) => (
          <>
            <Facts
              className="facts"
              entries={[
                ['State', <DeliveryState key="state" state={state} />],
                ['Kind', kinds[kind]],
                ['Order', orderId && <OrderLink key="order" id={orderId} />],
                [
                  'Work',
                  itemId && (
                    <Link key="work" to={`/works/${itemId}`}>
                      Work
                    </Link>
                  ),
                ],
                ['Recipient', buyerId && <NamedAccount key="buyer" id={buyerId} />],
                ['Delivered to', wallet ?? 'the store’s custody'],
                [
                  'Token',
                  token && (
                    <span key="token" className="mono">
                      {token}
                    </span>
                  ),
                ],
                ['Begun', <Time key="created" at={delivery.createdAt} />],
                ['Changed', <Time key="changed" at={delivery.changedAt} />],
                ['Deliver by', deliverBy && <Time key="by" at={deliverBy} />],
                ['Failed because', delivery.reason?.replaceAll('_', ' ')],
                ['Tried in vain because', delivery.note?.replaceAll('_', ' ')],
                ['Block', delivery.block === null ? null : String(delivery.block)],
                ['Transaction', txHash && <Copied key="hash" text={txHash} label="Copy the hash" />],
                ['Line', <Copied key="line" text={id} label="Copy the id of the line" />],
              ]}
            />
            {transaction ? (
              <Facts
                className="facts"
                entries={[
                  ['State of the transaction', transaction.outcome ?? transaction.state],
                  ['Nonce', String(transaction.nonce)],
                  ['Signer', transaction.signer],
                  ['Carries', plural(transaction.deliveries, 'delivery').replace(/ys$/, 'ies')],
                  ['Fee as a whole', transaction.feeWei === null ? 'not known yet' : gwei(transaction.feeWei)],
                ]}
              />
            ) : (
              <p>No transaction is signed for it.</p>
            )}
          </>
        )}
      </Contents>
      <Section title="Attempts" loaded={part(loaded, ({ transaction }) => transaction?.attempts ?? [])}>
        {(attempts) => (
          <Table
            caption="Attempts"
            rows={attempts}
            rowKey={({ hash }) => hash}
            empty="None."
            columns={[
              { title: 'Sent', cell: ({ at }) => <Time at={at} as="recent" /> },
              { title: 'What', cell: ({ kind }) => (kind === 'cancel' ? 'cancels the nonce' : 'delivers') },
              { title: 'Transaction', cell: ({ hash }) => <span className="mono">{hash}</span> },
              { title: 'Highest fee', isNumber: true, cell: ({ maxFeePerGas }) => gwei(maxFeePerGas) },
              { title: 'Tip', isNumber: true, cell: ({ maxPriorityFeePerGas }) => gwei(maxPriorityFeePerGas) },
            ]}
          />
        )}
      </Section>
      <ActionLog title="What operators did with it" subject={id} />
    </Page>
  )
}

const numbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 })

/** Wei as decimals, in gwei. */
const gwei = (wei: string) => `${numbers.format(Number(wei) / 1e9)} gwei`
