import { cancelOrder, type OrderHistory, refundLine } from '@nifty/api/payments/ops'
import { acceptOrder, assignReversal, type BothSides, compareOrder } from '@nifty/api/payments/ops-money'
import { addOrderNote } from '@nifty/api/payments/order-search'
import { plural } from '@nifty/api/plural'
import { formatPrice } from '@nifty/api/price'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, Select } from '../../ui/forms/field.tsx'
import { Action, Effects } from '../action/action.tsx'
import { ReleaseOffer } from '../offers/release-offer.tsx'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { Contents } from '../table/section.tsx'
import { Table } from '../table/table.tsx'

type Line = OrderHistory['order']['lines'][number]
type Reversal = OrderHistory['reversals'][number]

const cancellable = ['placed', 'awaiting_payment', 'authorised', 'delivering']
const refundable = ['completed', 'disputed']

export function CancelAction({ history: { order } }: { history: OrderHistory }) {
  if (order.kind !== 'purchase' && order.state === 'held')
    return <ReleaseOffer orderId={order._id} kind={order.kind} name={order.lines[0]!.name} price={order.total} />
  const lines = order.lines.filter(({ state }) => cancellable.includes(state))
  if (lines.length === 0) return null
  const kept = order.lines.length - lines.length
  return (
    <Action
      label="Cancel…"
      title="Cancel the order"
      variant="danger"
      effects={
        <Effects
          lines={[
            ...lines.map(({ name, price, state }) =>
              state === 'delivering'
                ? `“${name}”: its signed transaction is cancelled unless a block already has it; the chain decides`
                : `“${name}” is free again, and its ${formatPrice(price)} are not charged`,
            ),
            ...(kept > 0
              ? [`${plural(kept, 'line')} stay${kept === 1 ? 's' : ''} as ${kept === 1 ? 'it is' : 'they are'}`]
              : []),
          ]}
        />
      }
      run={async ({ reason }) => {
        const { state } = await request('payments', cancelOrder, { body: { orderId: order._id, reason } })
        if (state === 'delivering')
          return 'The nonce of its transaction is being cancelled. The chain decides; the timeline shows the outcome.'
        return cancellable.includes(state)
          ? `The order is still ${state.replaceAll('_', ' ')}: the cancellation is repeated until the card processor responds.`
          : `The order is ${state.replaceAll('_', ' ')}.`
      }}
    />
  )
}

export function RefundAction({ line: { _id, name, price, state } }: { line: Line }) {
  if (!refundable.includes(state)) return null
  return (
    <Action
      label="Refund…"
      title="Refund the line"
      variant="danger"
      effects={
        <Effects
          lines={[
            `What is left of the ${formatPrice(price)} for “${name}” goes back to the buyer’s card`,
            'The shares of seller and artist are held back until you assign who bears it',
            'The owner of the work does not change',
          ]}
        />
      }
      run={async ({ reason }) => {
        const refund = await request('payments', refundLine, { body: { lineId: _id, reason } })
        return `Refund of ${formatPrice(refund.amount)}: ${refund.state}${refund.error ? ` (${refund.error})` : ''}. Assign who bears it next.`
      }}
    />
  )
}

export const NoteAction = ({ orderId }: { orderId: string }) => (
  <Action
    label="Add a note…"
    title="Add the note"
    effects={<p>Other operators read it in the timeline; the buyer does not.</p>}
    reasonField={{ label: 'Note', hint: 'With your name.', maxLength: 2_000 }}
    run={async ({ reason, id }) => {
      await request('payments', addOrderNote, { params: { id: orderId }, body: { noteId: id, text: reason } })
      return 'The note is in the timeline.'
    }}
  />
)

export function AssignAction({ reversal, lines }: { reversal: Reversal; lines: Line[] }) {
  const { id, kind, withdrawn, borneBy, ambiguous } = reversal
  if (kind === 'fraud_warning' || (borneBy && !ambiguous)) return null
  const charged = lines.filter(({ state }) => ['completed', 'refunded', 'disputed'].includes(state))
  return (
    <Action
      label="Assign…"
      title="Decide who bears it"
      effects={
        <Effects
          lines={[
            `Borne by the store, the shares of seller and artist in the ${formatPrice(withdrawn)} are paid`,
            'Borne by the seller, they are reversed',
            ...(ambiguous ? ['Payouts of the order wait until the lines are named'] : []),
          ]}
        />
      }
      run={async ({ reason, text, checked }) => {
        const named = charged.filter(({ _id }) => checked(_id)).map(({ _id }) => _id)
        const assigned = await request('payments', assignReversal, {
          body: {
            reversalId: id,
            borneBy: text('borneBy') as 'platform' | 'seller',
            ...(named.length > 0 && { lineIds: named }),
            reason,
          },
        })
        const open = assigned.ambiguous ? ' Payouts wait until its lines are named.' : ''
        return `The ${assigned.borneBy === 'platform' ? 'store' : 'seller'} bears ${formatPrice(assigned.withdrawn)}.${open}`
      }}
    >
      <Select label="Borne by" name="borneBy" required defaultValue="">
        <option value="" disabled>
          Choose
        </option>
        <option value="platform">The store</option>
        <option value="seller">The seller</option>
      </Select>
      {charged.length > 1 && (
        <fieldset>
          <legend>Its lines, of a part of the order</legend>
          {charged.map(({ _id, name, price }) => (
            <Checkbox key={_id} name={_id} label={`${name}, ${formatPrice(price)}`} />
          ))}
        </fieldset>
      )}
    </Action>
  )
}

type Compared = { orderId: string; kind: OrderHistory['order']['kind'] }

/** Compares only when it is opened, because that is a request to the card processor. */
export function AcceptAction({ orderId, kind }: Compared) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Compare with the card processor…
      </Button>
      <Dialog open={open} title="Compare with the card processor" onClose={() => setOpen(false)}>
        <Sides orderId={orderId} kind={kind} />
      </Dialog>
    </>
  )
}

function Sides({ orderId, kind }: Compared) {
  const loaded = useStore('payments', compareOrder, { params: { id: orderId } })
  return (
    <div className="action">
      <Contents loaded={loaded}>
        {({ store, processor, isDeliveryOpen, effects }) => (
          <>
            <Table
              caption="Both sides"
              rows={sidesOf({ store, processor })}
              rowKey={({ title }) => title}
              empty=""
              columns={[
                { title: 'Money', cell: ({ title }) => title },
                { title: 'Store', isNumber: true, cell: ({ ours }) => ours },
                { title: 'Card processor', isNumber: true, cell: ({ theirs }) => theirs },
              ]}
            />
            {effects.length > 0 ? (
              <Action
                label="Accept…"
                title="Record the card processor’s state"
                effects={<Effects lines={effects.map((effect) => `It ${effect}`)} />}
                run={async ({ reason }) => {
                  await request('payments', acceptOrder, { body: { orderId, seen: processor, reason } })
                  return 'The card processor’s state is recorded.'
                }}
              />
            ) : (
              <p role="status">
                {amounts.every((name) => store[name] === processor[name])
                  ? 'Both sides agree.'
                  : isDeliveryOpen
                    ? `They differ, and nothing can be accepted yet: ${waitsFor(store, kind)}`
                    : 'They differ in what cannot be accepted: runbook NiftyReconciliationFailed.'}
              </p>
            )}
          </>
        )}
      </Contents>
    </div>
  )
}

/** Until when nothing of the processor's state can be accepted. */
const waitsFor = ({ lines }: BothSides['store'], kind: Compared['kind']) =>
  lines.some(({ state }) => state === 'held')
    ? `${kind === 'bid' ? 'the auction is not decided' : 'the owner has not accepted the offer'}. Release it, then compare again: what was captured can be refunded then.`
    : 'a delivery is under way. Compare again once its line is delivered.'

const amounts = ['heldCents', 'capturedCents', 'refundedCents', 'disputedCents'] as const

function sidesOf({ store, processor }: Pick<BothSides, 'store' | 'processor'>) {
  const cents = (amount: number) => formatPrice(amount / 100)
  return [
    { title: 'State', ours: store.money.replaceAll('_', ' '), theirs: processor.status.replaceAll('_', ' ') },
    ...amounts.map((name) => ({
      title: name.replace('Cents', ''),
      ours: cents(store[name]),
      theirs: cents(processor[name]),
    })),
  ]
}
