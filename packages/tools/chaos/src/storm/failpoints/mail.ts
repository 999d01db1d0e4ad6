import nodemailer from 'nodemailer'
import type { Failpoints } from './failpoint.ts'

type Mail = { messageId: string }
type SmtpError = { response?: string }

/** Points before and after each mail; each attempt and the mail server's response are written into the journal. */
export function wrapMail({ hit, journal, program, start }: Failpoints) {
  const real = nodemailer.createTransport as (...args: unknown[]) => { sendMail: (mail: Mail) => Promise<unknown> }
  const createTransport = (...args: unknown[]) => {
    const transport = real(...args)
    const send = transport.sendMail.bind(transport)
    transport.sendMail = async (mail) => {
      const note = (what: string, details: object = {}) =>
        journal.write({ actor: 'mails', what, program, start, messageId: mail.messageId, ...details })
      hit('send mail, before')
      note('attempt')
      try {
        const result = await send(mail)
        note('taken')
        hit('send mail, after')
        return result
      } catch (error) {
        const { response } = error as SmtpError
        note('not taken', { response })
        throw error
      }
    }
    return transport
  }
  Object.assign(nodemailer, { createTransport })
}
