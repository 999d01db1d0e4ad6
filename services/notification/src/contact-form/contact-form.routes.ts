import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/notification'
import { invalid } from '@nifty/service-kit/errors'
import type { Deps } from '../deps.ts'
import { readEnquiry } from './contact-form.ts'

export const enquiryRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { db, operatorEmail }) => {
  app.post('/api/contact', { schema: api.contact }, async ({ body }) => {
    const read = readEnquiry(body as Record<string, unknown>)
    if ('errors' in read) throw invalid('invalid_enquiry', read.errors[0]!.msg, { errors: read.errors })

    const { name, email, subject, message } = read.enquiry
    await db
      .insertInto('mail')
      .values({
        template: 'enquiry',
        subjectId: randomUUID(),
        recipient: operatorEmail,
        replyTo: email,
        subject: `Contact: ${subject}`,
        text: `${name} <${email}> wrote:\n\n${message}\n`,
        // A stranger's words are sent as text only.
        html: null,
        error: null,
        sentAt: null,
        givenUpAt: null,
      })
      .execute()
    return { success: true as const, message: 'Thank you for your message! We will answer soon.' }
  })
}
