import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Company } from '@nifty/api/gateway'
import { pages } from '@nifty/api/pages'
import mustache from 'mustache'
import type { MailLook } from './mail-look.ts'

/** Who sends the mails, and where their links lead. */
export type Store = { publicUrl: string; name: string; tagline: string; company: Company; look: MailLook }

/** Addresses are absolute. `picture` is null where it is not known; every mail is complete without it. */
export type MailedWork = { name: string; detail?: string; url: string; picture: string | null }

type Link = { label: string; url: string }

/**
 * Content of a mail, as plain text; rendering escapes it for HTML. No mail has the recipient's name: a sign-up
 * with the address of a stranger may have any text as its name.
 */
export type EmailContent = {
  subject: string
  paragraphs: string[]
  /** A single one is shown large, several as a list. */
  works?: MailedWork[]
  facts?: [name: string, value: string][]
  action?: Link
  /** Further ways on, below the action. */
  links?: Link[]
  /** Small print at the end. */
  footnote?: string
  /** Where questions about this mail are answered; the contact page unless a mail has a better one. */
  help?: Link
  /** A link at the very end that switches these mails off. */
  unsubscribe?: Link
}

const greeting = 'Hello,'

const helpOf = ({ help }: EmailContent, { publicUrl }: Store): Link =>
  help ?? { label: 'A question? Write to us', url: publicUrl + pages.contact.path }

const linkText = ({ label, url }: Link) => `${label}${label.endsWith('?') ? '' : ':'}\n${url}`

export function renderText(content: EmailContent, store: Store): string {
  const { paragraphs, works = [], facts = [], action, links = [], footnote, unsubscribe } = content
  const blocks = [
    greeting,
    ...paragraphs,
    ...(works.length > 1 ? works.map((work) => `${titleOf(work)}\n${work.url}`) : []),
    facts.map(([fact, value]) => `${fact}: ${value}`).join('\n'),
    action ? linkText(action) : '',
    ...links.map(linkText),
    footnote ?? '',
    linkText(helpOf(content, store)),
    unsubscribe ? linkText(unsubscribe) : '',
    footerOf(store),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

/** The store and its company at the end of a text. */
export function footerOf({ name: storeName, tagline, company }: Store): string {
  const { name, address, register, number, email } = company
  return ['-- ', storeName, tagline, `${name}, ${address.join(', ')}`, `${register}, No. ${number}`, email].join('\n')
}

const titleOf = ({ name, detail }: MailedWork) => (detail === undefined ? name : `${name}, ${detail}`)

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/** Compiled from layout.mjml. Read by the first mail. */
let layout: string | undefined

/** Throws only if the layout's file is missing. */
export function renderHtml(content: EmailContent, store: Store): string {
  layout ??= readFileSync(join(import.meta.dirname, 'layout.html'), 'utf8')
  return mustache.render(layout, viewOf(content, store), {}, { escape: escapeHtml })
}

/** The fields of layout.mjml. An absent one is null: Mustache looks for an undefined one in the outer object. */
function viewOf(content: EmailContent, store: Store) {
  const { subject, paragraphs, works = [], facts = [], action, links = [], footnote, unsubscribe } = content
  const { colours, logo } = store.look
  const shown = works.map(({ name, detail = null, url, picture }) => ({
    name,
    detail,
    href: url,
    picture: picture === null ? null : { src: picture, alt: `“${name}”`, href: url },
  }))
  return {
    subject,
    preview: paragraphs[0] ?? '',
    greeting,
    paragraphs,
    picture: shown.length === 1 ? shown[0]!.picture : null,
    hasWorks: shown.length > 1,
    works: shown,
    hasFacts: facts.length > 0,
    facts: facts.map(([name, value]) => ({ name, value })),
    action: action ?? null,
    hasLinks: links.length > 0,
    links,
    footnote: footnote ?? null,
    help: helpOf(content, store),
    unsubscribe: unsubscribe ?? null,
    store: { name: store.name, tagline: store.tagline },
    colours,
    logo: logo && { src: logo.src, width: String(logo.width), height: String(logo.height) },
    company: { ...store.company, address: store.company.address.join(', ') },
  }
}
