import { randomBytes } from 'node:crypto'
import { exhibitionLimits } from '@nifty/api/exhibition-limits'
import { withLineFeeds } from '@nifty/api/line-breaks'
import { nameProblem } from '@nifty/api/names'
import { conflict, forbidden, invalid, limitReached, notFound } from '@nifty/service-kit/base/errors'

export type ExhibitionForm = { title: string; description: string; itemIds: string[] }

/** Throws 400 with an error for each wrong field, or `duplicate_item`. */
export function parseExhibition(form: ExhibitionForm): ExhibitionForm {
  const title = form.title.trim()
  const description = withLineFeeds(form.description).trim()
  const errors: { path: string; msg: string }[] = []
  const problem = nameProblem(title)
  if (title === '') errors.push({ path: 'title', msg: 'Please enter a title' })
  else if (title.length > exhibitionLimits.title)
    errors.push({ path: 'title', msg: `The title may have ${exhibitionLimits.title} characters at most` })
  else if (problem) errors.push({ path: 'title', msg: problem })
  if (description.length > exhibitionLimits.description)
    errors.push({ path: 'description', msg: `The text may have ${exhibitionLimits.description} characters at most` })
  if (errors.length > 0) throw invalid('invalid_exhibition', errors[0]!.msg, { errors })
  if (new Set(form.itemIds).size < form.itemIds.length) throw invalid('duplicate_item', 'A work is named twice')
  return { title, description, itemIds: form.itemIds }
}

/** The address of an exhibition: lower case letters, digits and single dashes. Throws 400 for anything else. */
export function parseSlug(slug: string): string {
  if (slug.length <= 80 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) return slug
  const msg = 'An address has lower case letters, digits and single dashes, such as autumn-show'
  throw invalid('invalid_exhibition', msg, { errors: [{ path: 'slug', msg }] })
}

/** A day of the calendar as `2026-12-05`. Throws 400 for anything else. */
export function parseDay(day: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
  if (isDay && day > '2000' && day < '2200') return day
  const msg = 'A day is written as 2026-12-05'
  throw invalid('invalid_exhibition', msg, { errors: [{ path: 'opensOn', msg }] })
}

/**
 * Addresses for a title, the first one without a number, the last one random. Titles without Latin letters or digits
 * get `series`.
 */
export function slugsOf(title: string): string[] {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const slug = (words ?? ['series']).join('-').slice(0, 60).replace(/-$/, '')
  const numbered = Array.from({ length: 20 }, (_, index) => (index === 0 ? slug : `${slug}-${index + 1}`))
  return [...numbered, `${slug}-${randomBytes(6).toString('hex')}`]
}

/** Today in UTC, as days are stored. */
export const today = (now = new Date()) => now.toISOString().slice(0, 10)

export const exhibitionNotFound = () => notFound('exhibition_not_found', 'This exhibition does not exist')
export const slugOfSeries = () => conflict('slug_of_series', 'A series of an artist has this address')
export const notTheCreator = () => forbidden('not_the_creator', 'A series has works that you made')
export const tooManySeries = () =>
  limitReached('too_many_series', `You have ${exhibitionLimits.seriesOfArtist} series already`)
