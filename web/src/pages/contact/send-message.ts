import { send } from '../../api.ts'

export type Enquiry = { name: string; email: string; subject: string; message: string }
export type Data = { sent: string } | { problems: string[]; fields: Record<string, string> }

/** Writes to the store. Answers what the server said, or each thing that was wrong. */
export async function sendEnquiry(enquiry: Enquiry): Promise<Data> {
  const outcome = await send<{ success: true; message: string }>('/api/contact', { body: enquiry })
  if (outcome.ok) return { sent: outcome.data.message }
  const { errors } = outcome.error
  const problems = errors.map(({ msg }) => msg)
  return {
    problems:
      problems.length > 0 ? problems : ['An error occurred while sending your message. Please try again later.'],
    fields: Object.fromEntries(errors.map(({ path, msg }) => [path, msg])),
  }
}
