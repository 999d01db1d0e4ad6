import nodemailer from 'nodemailer'
import type { Failpoints } from './failpoint.ts'

/** Points before and after each mail. */
export function wrapMail({ hit }: Failpoints) {
  const real = nodemailer.createTransport as (...args: unknown[]) => { sendMail: (mail: unknown) => Promise<unknown> }
  const createTransport = (...args: unknown[]) => {
    const transport = real(...args)
    const send = transport.sendMail.bind(transport)
    transport.sendMail = async (mail) => {
      hit('send mail, before')
      const result = await send(mail)
      hit('send mail, after')
      return result
    }
    return transport
  }
  Object.assign(nodemailer, { createTransport })
}
