import { findGifts } from '@nifty/api/minting/ops'
import { findMails } from '@nifty/api/notification/mails'
import { listActions } from '@nifty/api/operator-actions'
import type { OrderHistory } from '@nifty/api/payments/ops'
import { formatPrice } from '@nifty/api/price'
import useSWR from 'swr'
import { Time } from '../../ui/time.tsx'
import { endingWords } from '../endings/ending-words.ts'
import { Email } from '../links/email.tsx'
import { request, type StoreError } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { Table } from '../table/table.tsx'

/** What mails about an order are about: itself, its lines and what was withdrawn from it. */
export const subjectsOf = ({ order, reversals }: OrderHistory) => [
  order._id,
  ...order.lines.map(({ _id }) => _id),
  ...reversals.map(({ id }) => id),
]

/** `to`: an address, before the detail. */
type Entry = { at: string; by: string; what: string; to?: string; detail?: string | null }

/** What each service and each operator did with an order, newest last. */
export function Timeline({ history }: { history: OrderHistory }) {
  const { order } = history
  const elsewhere = useActionsElsewhere(order)
  const gifts = useStore('minting', findGifts, order.isGift ? { params: { id: order._id } } : null)
  const mails = useStore('notification', findMails, { body: { ids: subjectsOf(history) } }, { refreshInterval: 10_000 })
  const names = new Map(order.lines.map(({ itemId, name }) => [itemId, name]))
  const entries: Entry[] = [
    ...order.timeline.map(({ at, state, note, itemId }) => ({
      at,
      by: 'store',
      what: state.replaceAll('_', ' '),
      detail: [order.lines.length > 1 && names.get(itemId), note && noteOf(order, state, note)]
        .filter(Boolean)
        .join(': '),
    })),
    ...history.events
      .filter(({ outcome }) => outcome !== 'no news')
      .map(({ receivedAt, type, outcome }) => ({
        at: receivedAt,
        by: 'card processor',
        what: type,
        detail: outcome ?? 'waits',
      })),
    ...history.refunds.map(({ requestedAt, amount, state, error }) => ({
      at: requestedAt,
      by: 'store',
      what: `refund of ${formatPrice(amount)}: ${state}`,
      detail: error,
    })),
    ...history.notes.map(({ at, operator, text }) => ({ at, by: operator, what: 'note', detail: text })),
    ...history.alarms.map(({ firstAt, name, detail }) => ({
      at: firstAt,
      by: 'alarm',
      what: name.replaceAll('_', ' '),
      detail,
    })),
    ...(gifts.data?.gifts ?? []).map(({ createdAt, name, state, until }) => ({
      at: createdAt,
      by: 'gift',
      what: `${name}: ${state.replaceAll('_', ' ')}`,
      detail: until && `until ${until}`,
    })),
    ...(mails.data?.mails ?? []).map(({ queuedAt, subject, template, recipient, sentAt, failedAt, error }) => ({
      at: queuedAt,
      by: 'mail',
      what: subject || template.replaceAll('-', ' '),
      to: recipient || 'erased',
      detail: `${sentAt ? 'sent' : failedAt ? `given up: ${error ?? 'no reason'}` : 'waiting to be sent'}`,
    })),
    ...[...history.actions, ...(elsewhere.data ?? [])].map(({ at, operator, action, reason }) => ({
      at,
      by: operator,
      what: action.replaceAll('-', ' '),
      detail: reason,
    })),
  ].sort((one, other) => one.at.localeCompare(other.at))
  return (
    <Section title="Timeline" loaded={{ ...elsewhere, data: entries }}>
      {(rows) => (
        <Table
          caption="Timeline of the order"
          rows={rows}
          rowKey={(entry) => JSON.stringify(entry)}
          empty="Nothing happened yet."
          columns={[
            { title: 'At', cell: ({ at }) => <Time at={at} as="recent" /> },
            { title: 'By', cell: ({ by }) => by },
            { title: 'What', cell: ({ what }) => what },
            {
              title: 'Detail',
              cell: ({ to, detail }) =>
                detail && (
                  <span className="written">
                    {to && (
                      <>
                        <Email address={to} />,{' '}
                      </>
                    )}
                    {detail}
                  </span>
                ),
            },
          ]}
        />
      )}
    </Section>
  )
}

/** Why a line was released: of an offer or a bid in words. */
const noteOf = ({ kind }: OrderHistory['order'], state: string, note: string) =>
  kind === 'purchase' || state !== 'released' ? note : endingWords(kind, note)

/** Operators' actions of minting and catalog with the lines and works of an order, such as a delivery retried. */
function useActionsElsewhere({ _id, lines }: OrderHistory['order']) {
  const { data, error, mutate } = useSWR(['actions of an order', _id], async () => {
    const subjects = lines.flatMap((line) => [line._id, line.itemId])
    const lists = await Promise.all(
      (['minting', 'catalog'] as const).flatMap((service) =>
        subjects.map((subject) => request(service, listActions, { query: { subject } })),
      ),
    )
    return lists.flatMap(({ actions }) => actions)
  })
  return { data, error: error as StoreError | undefined, reload: () => void mutate() }
}
