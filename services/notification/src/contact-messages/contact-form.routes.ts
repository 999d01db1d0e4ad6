import * as api from '@nifty/api/notification/public'
import { invalid } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { parseContactForm } from './contact-form.ts'
import { receiveContactMessage } from './contact-message.actions.ts'

export const contactFormRoutes: FastifyPluginAsync<Deps> = async (app, { db, operatorEmail }) => {
  registerRoute(app, api.sendContactMessage, async ({ body }) => {
    const parsed = parseContactForm(body as Record<string, unknown>)
    if ('errors' in parsed) throw invalid('invalid_contact_form', parsed.errors[0]!.msg, { errors: parsed.errors })

    await inTransaction(db, (trx) => receiveContactMessage(trx, parsed.contactMessage, operatorEmail))
    return { success: true as const, message: 'Thank you for your message! We will answer soon.' }
  })
}
