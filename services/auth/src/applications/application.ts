import { applicationLimits, type SellerApplication } from '@nifty/api/auth/applications'
import { withLineFeeds } from '@nifty/api/line-breaks'
import { conflict, forbidden, invalid } from '@nifty/service-kit/base/errors'
import { parseLink } from '../accounts/links.ts'
import type { SellerApplicationRow } from '../db.ts'

/** Days from a declined application until the next one can be sent. */
export const DECLINED_DAYS = 30

/** From when on an account can apply again after this application; null while it waits, or when it was granted. */
export const againFrom = ({ state, answeredAt }: Pick<SellerApplicationRow, 'state' | 'answeredAt'>): Date | null =>
  state === 'declined' && answeredAt ? new Date(answeredAt.getTime() + DECLINED_DAYS * 86_400_000) : null

/** What the applicant reads. */
export const showApplication = (application: SellerApplicationRow): SellerApplication => {
  const { links, message, state, answer, createdAt, answeredAt } = application
  return {
    links,
    message,
    state,
    answer,
    createdAt: createdAt.toISOString(),
    answeredAt: answeredAt?.toISOString() ?? null,
    againFrom: againFrom(application)?.toISOString() ?? null,
  }
}

export type ApplicationForm = { links: string[]; message: string }

/** The links and the message of an application. Throws 400 with an error for each wrong field. */
export function parseApplication(form: { links: unknown[]; message: unknown }): ApplicationForm {
  const errors: { path: string; msg: string }[] = []
  const links = form.links.map(parseLink)
  if (links.length === 0 || links.includes('')) errors.push({ path: 'links', msg: 'Please enter a link to your works' })
  else if (links.includes(undefined))
    errors.push({ path: 'links', msg: 'Please enter links that start with https://, one in each line' })
  const message = typeof form.message === 'string' ? withLineFeeds(form.message).trim() : ''
  const { messageMin, messageMax } = applicationLimits
  if (message.length < messageMin || message.length > messageMax)
    errors.push({ path: 'message', msg: `Please write between ${messageMin} and ${messageMax} characters` })
  if (errors.length > 0) throw invalid('invalid_application', errors[0]!.msg, { errors })
  return { links: [...new Set(links as string[])], message }
}

export const addressNotConfirmed = () =>
  forbidden('email_not_confirmed', 'Please confirm your e-mail address first: we answer by mail.')

export const maySellAlready = () => conflict('may_sell_already', 'You can sell your works already')

export const applicationWaits = () => conflict('application_waits', 'Your application is waiting for an answer already')

export const applicationTooEarly = (againFrom: Date) =>
  conflict('application_too_early', 'You can apply again 30 days after the last answer', {
    details: { againFrom: againFrom.toISOString() },
  })

export const noApplication = () => conflict('no_application', 'This account has no application that waits')
