import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type { EmailContent } from '../mails/email-layout.ts'
import type { ListedWork } from './digest.store.ts'

/** A mail names this many works, and the number of all. */
const MOST_NAMED = 10

/** The mail about the works, at least one, that an artist listed on a day. Amounts in cents. */
export function digestMail(works: (ListedWork & { url: string })[], unsubscribeUrl: string): EmailContent {
  const [first] = works as [(typeof works)[0]]
  const artist = first.artist ?? 'An artist'
  const isOne = works.length === 1
  const facts = works
    .slice(0, MOST_NAMED)
    .map(({ name, priceCents }): [string, string] => [
      'Work',
      priceCents === null ? name : `${name}, ${formatPrice(toEuros(priceCents))}`,
    ])
  return {
    subject: isOne ? `A new work: “${first.name}”` : `${works.length} new works: “${first.name}” and more`,
    paragraphs: [`${artist}, whom you follow, has put ${isOne ? 'a work' : `${works.length} works`} on sale.`],
    facts: works.length > MOST_NAMED ? [...facts, ['And', `${works.length - MOST_NAMED} more`]] : facts,
    action: { label: 'See the work', url: first.url },
    footnote: 'You can also switch these mails off in your settings.',
    unsubscribe: { label: 'No more mails about new works of artists', url: unsubscribeUrl },
  }
}
