import { parseEmail } from '@nifty/api/email-address'
import { withLineFeeds } from '@nifty/api/line-breaks'
import { nameProblem } from '@nifty/api/names'

/** A visitor's message from the contact page. */
export type ContactForm = { name: string; email: string; subject: string; message: string }
type FieldError = { msg: string; path: keyof ContactForm }

const maxLengths = { name: 80, subject: 200, message: 5_000 }

/** The message, or one error per invalid field. */
export function parseContactForm(
  form: Record<string, unknown>,
): { contactMessage: ContactForm } | { errors: FieldError[] } {
  const errors: FieldError[] = []
  const text = (path: 'name' | 'subject' | 'message') => {
    const typed = form[path]
    const value = typeof typed === 'string' ? withLineFeeds(typed) : typed
    if (typeof value !== 'string' || value.trim() === '') errors.push({ path, msg: `Please enter your ${path}` })
    else if (value.length > maxLengths[path])
      errors.push({ path, msg: `Your ${path} may have ${maxLengths[path]} characters at most` })
    const problem = path !== 'message' && typeof value === 'string' && nameProblem(value.trim())
    if (problem) errors.push({ path, msg: problem })
    return String(value).trim()
  }
  const name = text('name')
  const email = parseEmail(form.email)
  if (email === null) errors.push({ path: 'email', msg: 'Please enter a valid email' })
  const contactMessage = { name, email: String(email), subject: text('subject'), message: text('message') }
  return errors.length > 0 ? { errors } : { contactMessage }
}
