import { isEmail } from '../mails/email-address.ts'

/** What a visitor writes on the contact page. */
export type Enquiry = { name: string; email: string; subject: string; message: string }
type Wrong = { msg: string; path: keyof Enquiry }

const longest = { name: 80, subject: 200, message: 5_000 }

/** The enquiry, or what is wrong with each field. */
export function readEnquiry(form: Record<string, unknown>): { enquiry: Enquiry } | { errors: Wrong[] } {
  const errors: Wrong[] = []
  const words = (path: 'name' | 'subject' | 'message') => {
    const value = form[path]
    if (typeof value !== 'string' || value.trim() === '') errors.push({ path, msg: `Please enter your ${path}` })
    else if (value.length > longest[path])
      errors.push({ path, msg: `Your ${path} may have ${longest[path]} characters at most` })
    return String(value).trim()
  }
  const name = words('name')
  if (!isEmail(form.email)) errors.push({ path: 'email', msg: 'Please enter a valid email' })
  const enquiry = { name, email: String(form.email), subject: words('subject'), message: words('message') }
  return errors.length > 0 ? { errors } : { enquiry }
}
