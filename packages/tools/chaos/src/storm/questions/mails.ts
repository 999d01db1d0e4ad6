import { mailFaultNames } from '../mail/faults.ts'
import { isFinal } from '../mail/record.ts'
import type { Row, World } from '../world.ts'
import { each, linesByOrder, linesOf, orderById, ordersOf, type Question } from './question.ts'

/** One whose response was lost, one of a process that was killed with it, and the one with a response. */
const MOST_COPIES = 3
/** A transaction that waits for a mail server is open for as long as a silent one is waited for. */
const LONGEST_TRANSACTION_MS = 10_000

/** A process was killed with it: another one sends it when the claim ends, minutes later. */
export const isClaimed = ({ claimed_at, sent_at }: Row) => claimed_at !== null && sent_at === null

/** By a response of the mail server that is final. */
export const isRefused = ({ failure, error }: Row, { mailRecord }: World) =>
  failure === 'refused' && isFinal(mailRecord, error)

/** Whether a mail server was waited for: from its silence or slowness on to its end. */
const isWaitedFor = (at: number, { mailRecord }: World) =>
  mailRecord.faults.some(({ from, to = Number.POSITIVE_INFINITY }) => from < at && at < to)

/** Attempts with a final response, whose process was not killed before it could store that. */
const answered = ({ mailRecord }: World) =>
  mailRecord.attempts.filter(
    ({ taken, response, storedIt }) => storedIt && (taken || (response && isFinal(mailRecord, response))),
  )

/** The mails about a line that its buyer gets. */
function dueOf({ state, reason, order_id }: Row, world: World): string[] {
  if (state === 'completed' || state === 'disputed') return ['purchased']
  if (state === 'refunded') return ['purchased', 'refunded']
  const wasHeld = orderById(world).get(order_id)?.intent_id !== null
  // About an offer that ended before it was accepted there is another mail.
  return state === 'released' && wasHeld && reason !== 'lost' ? ['released'] : []
}
const kinds = ['purchased', 'released', 'refunded']

/** What notification stored of the mails of one kind about a line; each refund has one of its own. */
const storedOf = ({ databases }: World, template: string, line: string) =>
  databases.notification.mail!.filter(
    (mail) => mail.template === template && mail.subject_id.split('.').at(-1) === line,
  )

function mailsOf({ mails }: World, stored: Row[]) {
  const ids = stored.map(({ message_id }) => message_id?.replaceAll('-', '')).filter(Boolean)
  return mails.filter(({ headers }) => ids.some((id) => headers['message-id']?.startsWith(`<${id}@`)))
}

const CONFIRMED = 'order-placed'
const endTemplates: Record<string, string[]> = { offer: ['offer-ended'], bid: ['outbid', 'bid-ended'] }
const heldTemplates = ['offer-held', 'bid-held']
const outcomeOf: Record<string, string[]> = {
  sold: ['auction-awarded'],
  failed: ['auction-awarded', 'auction-failed'],
  unsold: ['auction-unsold'],
  void: ['auction-void'],
}

const ofOffersAndBids = (world: World) => ordersOf(world).filter(({ order_kind }) => endTemplates[order_kind])
const storedFor = ({ databases }: World, subject: string, wanted: (template: string) => boolean) =>
  databases.notification.mail!.filter(({ template, subject_id }) => subject_id === subject && wanted(template))
const personOf = ({ histories }: World, userId: string) =>
  histories
    .flatMap(({ person, cart }) => [person, ...cart.map(({ seller }) => seller)])
    .find((each) => each.userId === userId)

/** What is wrong with the mails that are stored about one subject for one person. */
function wrongCopies(world: World, stored: Row[], userId: string) {
  const to = personOf(world, userId)?.email
  for (const mail of stored) {
    const copies = mailsOf(world, [mail]).length
    if (mail.recipient !== to) return `${mail.template} went to somebody else`
    if (copies > MOST_COPIES) return `${mail.template}: ${copies} copies`
    if (copies === 0 && !isClaimed(mail) && !isRefused(mail, world)) return `${mail.template}: no copy`
  }
}

/** The states that the line of an order has had. */
function stepsOf(order: Row, world: World): string[] {
  const lines = (linesByOrder(world).get(order.id) ?? []).map(({ id }) => id)
  return world.databases.payments
    .line_history!.filter(({ line_id }) => lines.includes(line_id))
    .map(({ to_state }) => to_state)
}

/** The templates of which the buyer of an offer or a bid has one mail; null: of those of its end, or none. */
function dueAtEnd(order: Row, world: World): string[] | null {
  const steps = stepsOf(order, world)
  if (steps.includes('authorised')) return [CONFIRMED]
  if (order.money === 'none') return []
  // A payment that is found after the end is given back without a mail, as is that of a deleted account.
  const isDeleted = world.histories.some(({ orderId, kind }) => orderId === order.id && kind === 'account deleted')
  return steps.includes('held') && !isDeleted ? endTemplates[order.order_kind]! : null
}

export const mailQuestions: Question[] = [
  each(
    'mails: the buyer of each offer and bid got one about its end if its card was held, or the confirmation',
    ofOffersAndBids,
    (order, world) => {
      const ends = endTemplates[order.order_kind]!
      const stored = storedFor(world, order.id, (template) => template === CONFIRMED || ends.includes(template))
      const due = dueAtEnd(order, world)
      const names = stored.map(({ template }) => template)
      const isRight = due === null ? names.length < 2 : names.length === Math.min(1, due.length)
      if (!isRight || !names.every((name) => (due ?? ends).includes(name))) return `${order.order_kind}: mails ${names}`
      return wrongCopies(world, stored, order.buyer_id)
    },
  ),
  each(
    'mails: the buyer of each offer and bid got at most one about its hold, and none if its card was not held',
    ofOffersAndBids,
    (order, world) => {
      const stored = storedFor(world, order.id, (template) => heldTemplates.includes(template))
      const wasHeld = stepsOf(order, world).includes('held')
      if (stored.length > Number(wasHeld)) return `${order.order_kind}: ${stored.length} mails about its hold`
      return wrongCopies(world, stored, order.buyer_id)
    },
  ),
  each(
    'mails: the owner of a work got at most one about an offer for it, which was open',
    ({ databases }) => databases.notification.mail!.filter(({ template }) => template === 'offer-received'),
    (mail, world) => {
      const offer = world.databases.catalog.offer!.find(({ order_id }) => order_id === mail.subject_id)
      if (!offer?.ends_at) return { what: 'no such offer was open', about: mail.subject_id }
      const what = mail.failure === 'expired' ? undefined : wrongCopies(world, [mail], offer.owner_id)
      return what && { what, about: mail.subject_id }
    },
  ),
  each(
    'mails: the seller of each auction got those about its outcome',
    ({ databases }) => databases.catalog.auction!,
    ({ id, state, seller_id }, world) => {
      const stored = storedFor(world, id, (template) => template.startsWith('auction-'))
      const names = stored.map(({ template }) => template).sort()
      if (String(names) !== String(outcomeOf[state] ?? [])) return { what: `is ${state}: mails ${names}`, about: id }
      const what = wrongCopies(world, stored, seller_id)
      return what && { what, about: id }
    },
  ),
  each('mails: the buyer of each line got the mails that are due, and no other', linesOf, (line, world) => {
    const due = dueOf(line, world)
    const { buyer_id } = orderById(world).get(line.order_id)!
    const buyer = world.histories.find(({ person }) => person.userId === buyer_id)?.person.email
    for (const kind of kinds) {
      const stored = storedOf(world, kind, line.id)
      const copies = mailsOf(world, stored)
      if (due.includes(kind) && copies.length === 0 && stored.some((mail) => isClaimed(mail) || isRefused(mail, world)))
        continue
      if (due.includes(kind) !== copies.length > 0) return `${kind}: ${copies.length} copies, line is ${line.state}`
      if (copies.length > MOST_COPIES) return `${kind}: ${copies.length} copies`
      if (copies.some(({ to }) => to.some(({ address }) => address !== buyer))) return `${kind} went to somebody else`
    }
  }),
  each(
    'mails: every mail was sent, or refused for good by the mail server',
    ({ databases }) => databases.notification.mail!,
    (mail, world) =>
      mail.sent_at || isClaimed(mail) || isRefused(mail, world)
        ? undefined
        : { what: `${mail.template} was not sent: ${mail.error}`, about: mail.subject_id },
  ),
  each(
    'mails: none is attempted again after an answer that ends it',
    answered,
    ({ messageId, from, taken, response }, { mailRecord }) =>
      mailRecord.attempts.some((each) => each.messageId === messageId && each.from > from)
        ? `${messageId} was sent again after ${taken ? 'it was taken' : response}`
        : undefined,
  ),
  each(
    'mails: no transaction of notification stays open while a mail server is waited for',
    (world) => world.transactions.filter(({ at }) => isWaitedFor(at, world)),
    ({ at, openMs, query }, { mailRecord }) => {
      const isStopped = mailRecord.pauses.some(({ from, to }) => from < at && at - openMs < to)
      return openMs <= LONGEST_TRANSACTION_MS || isStopped ? undefined : `open for ${openMs} ms: ${query}`
    },
  ),
  each(
    'mails: lines are completed while a mail server is waited for',
    (world) =>
      world.databases.payments.line_history!.filter(
        ({ to_state, at }) => to_state === 'completed' && isWaitedFor(at.getTime(), world),
      ),
    () => undefined,
  ),
  {
    name: 'mail server: each of its faults was injected',
    ask: ({ mailRecord }) => {
      const injected = new Set(mailRecord.faults.map(({ fault }) => fault))
      const wrong = mailFaultNames.filter((name) => !injected.has(name)).map((name) => ({ what: `${name}: never` }))
      return { rows: mailRecord.faults.length, wrong }
    },
  },
]
