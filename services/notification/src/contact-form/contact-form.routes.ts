import { randomUUID } from 'node:crypto'
import * as api from '@nifty/api/notification/public'
import { invalid } from '@nifty/service-kit/base/errors'
import { readableEmail } from '@nifty/service-kit/base/readable-email'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { insertMail } from '../mails/mail.actions.ts'
import { parseContactForm } from './contact-form.ts'

export const contactFormRoutes: FastifyPluginAsync<Deps> = async (app, { db, operatorEmail }) => {
  registerRoute(app, api.sendContactMessage, async ({ body }) => {
    const parsed = parseContactForm(body as Record<string, unknown>)
    if ('errors' in parsed) throw invalid('invalid_contact_form', parsed.errors[0]!.msg, { errors: parsed.errors })

    const { name, email, subject, message } = parsed.contactMessage
    await insertMail(db, {
      template: 'contact-form',
      subjectId: randomUUID(),
      recipient: operatorEmail,
      replyTo: email,
      subject: `Contact: ${subject}`,
      text: `${name} <${readableEmail(email)}> wrote:\n\n${message}\n`,
      // Untrusted text is sent as text only.
      html: null,
    })
    return { success: true as const, message: 'Thank you for your message! We will answer soon.' }
  })
}
