/** The shop's texts, which an operator writes as Markdown: `packages/content` reads and renders them. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

/** Rendered by the server: no tags of the operator's, links to http(s), mailto and own pages only. */
type Html = string

/** What home shows first, and the headings of its sections. `lang` is BCP 47. */
export type HomeText = {
  title: string
  lead: Html
  action: string
  topItems: string
  discover: string
  creators: string
  exhibitions: string
  contact: string
  contactAction: string
  lang: string
}

/** The questions of home with their answers. */
export type Questions = { title: string; lang: string; entries: { title: string; html: Html }[] }

/** Terms, privacy or cookie policy. */
export type LegalText = {
  title: string
  /** The last part of the breadcrumb. */
  crumb: string
  version?: string | undefined
  lang: string
  /** A line below the title, or empty. */
  summary: Html
  /** Entries of the table of contents: links to the sections. */
  contents: Html
  /** All sections. */
  body: Html
}

/** All texts, by their names. */
export type Contents = {
  home: HomeText
  questions: Questions
  terms: LegalText
  privacy: LegalText
  cookies: LegalText
}

/** The prefix of all texts. */
export const CONTENT_PREFIX = '/content/'

/** `v`: the hash of the text that the document names. With that of the present text the response never changes. */
export const getText = endpoint({
  method: 'GET',
  path: '/content/:name',
  access: 'public',
  hidden: true,
  params: Type.Object({ name: Type.String() }),
  query: Type.Object({ v: Type.Optional(Type.String()) }),
  response: Type.Unknown(),
})
