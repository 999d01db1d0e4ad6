import { pages } from '@nifty/api/pages'
import type { FastifyInstance } from 'fastify'

/** Half of the year that RFC 9116 recommends at most: the text is written with each request. */
const VALID_DAYS = 180

/** Addresses that programs derive themselves (RFC 8615). */
export async function wellKnownRoutes(
  app: FastifyInstance,
  { publicUrl, email }: { publicUrl: string; email: string },
) {
  /** RFC 9116: the contact for vulnerabilities. */
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const expires = new Date(Date.now() + VALID_DAYS * 24 * 60 * 60 * 1000).toISOString()
    return reply
      .type('text/plain; charset=utf-8')
      .send(
        `Contact: mailto:${email}\nContact: ${publicUrl}${pages.contact.path}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${publicUrl}/.well-known/security.txt\n`,
      )
  })

  /** The target of password managers for a change of the password; it needs no session. */
  app.get('/.well-known/change-password', async (_request, reply) => reply.redirect(pages.resetPass.path, 302))
}
