import type { Row, World } from '../world.ts'
import { each, linesOf, orderById, type Question } from './question.ts'

const MOST_COPIES = 2

/** A process was killed with it: another one sends it when the claim ends, minutes later. */
const isClaimed = ({ claimed_at, sent_at }: Row) => claimed_at !== null && sent_at === null

/** The mails about a line that its buyer gets. */
function dueOf({ state, order_id }: Row, world: World): string[] {
  if (state === 'completed' || state === 'disputed') return ['purchased']
  if (state === 'refunded') return ['purchased', 'refunded']
  const wasHeld = orderById(world).get(order_id)?.intent_id !== null
  return state === 'released' && wasHeld ? ['released'] : []
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

export const mailQuestions: Question[] = [
  each('mails: the buyer of each line got the mails that are due, and no other', linesOf, (line, world) => {
    const due = dueOf(line, world)
    const { buyer_id } = orderById(world).get(line.order_id)!
    const buyer = world.histories.find(({ person }) => person.userId === buyer_id)?.person.email
    for (const kind of kinds) {
      const stored = storedOf(world, kind, line.id)
      const copies = mailsOf(world, stored)
      if (due.includes(kind) && copies.length === 0 && stored.some(isClaimed)) continue
      if (due.includes(kind) !== copies.length > 0) return `${kind}: ${copies.length} copies, line is ${line.state}`
      if (copies.length > MOST_COPIES) return `${kind}: ${copies.length} copies`
      if (copies.some(({ to }) => to.some(({ address }) => address !== buyer))) return `${kind} went to somebody else`
    }
  }),
  each(
    'mails: every mail was sent',
    ({ databases }) => databases.notification.mail!,
    ({ template, subject_id, sent_at, error, claimed_at }) =>
      sent_at || isClaimed({ sent_at, claimed_at })
        ? undefined
        : { what: `${template} was not sent: ${error}`, about: subject_id },
  ),
]
