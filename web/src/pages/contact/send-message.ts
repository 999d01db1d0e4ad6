import { sendContactMessage } from '@nifty/api/notification/public'
import { fieldErrors, send } from '../../api/api.ts'

type Message = { name: string; email: string; subject: string; message: string }
type Result = { sent: string } | { problems: string[]; fields: Record<string, string | undefined> }

/** Sends a contact message. Returns the server's message, or the error messages. */
export async function sendMessage(message: Message): Promise<Result> {
  const outcome = await send(sendContactMessage, { body: message })
  if (outcome.ok) return { sent: outcome.data.message }
  const problems = outcome.error.errors.map(({ msg }) => msg)
  const unknown = 'An error occurred while sending your message. Please try again later.'
  return { problems: problems.length > 0 ? problems : [unknown], fields: fieldErrors(outcome.error) }
}
