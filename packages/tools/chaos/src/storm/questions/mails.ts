import { mailFaultNames } from '../mail/faults.ts'
import { isFinal } from '../mail/record.ts'
import type { Row, World } from '../world.ts'
import { each, linesOf, orderById, type Question } from './question.ts'

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

const OFFER_ENDED = 'offer-ended'

/** Offers that ended after their card was held; about those that were accepted there are the mails of their lines. */
const endedOffers = ({ databases }: World) =>
  databases.catalog.offer!.filter(
    ({ state, why, ends_at }) => state === 'ended' && ends_at && why !== 'failed' && why !== 'delivered',
  )

export const mailQuestions: Question[] = [
  each('mails: the buyer of each offer that ended got one mail about it', endedOffers, ({ order_id, why }, world) => {
    const stored = world.databases.notification.mail!.filter(
      ({ template, subject_id }) => template === OFFER_ENDED && subject_id === order_id,
    )
    const copies = mailsOf(world, stored)
    const isMissing = copies.length === 0 && !stored.some((mail) => isClaimed(mail) || isRefused(mail, world))
    if (stored.length === 1 && !isMissing && copies.length <= MOST_COPIES) return undefined
    return { what: `${why}: ${stored.length} stored, ${copies.length} copies`, about: order_id }
  }),
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
