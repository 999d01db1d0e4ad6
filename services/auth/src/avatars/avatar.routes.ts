import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/auth'
import { accessDenied, ExpectedError, notFound } from '@nifty/service-kit/errors'
import { avatarPath } from '../accounts/account.ts'
import type { Deps } from '../deps.ts'
import { isAvatarName } from './avatar.ts'
import { multipartLimits, readUpload, within } from './avatar.upload.ts'

/** Even if a file were not what it is, a browser would neither run nor frame it. */
const harmless = {
  'content-type': 'image/webp',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
  'cache-control': 'public, max-age=31536000, immutable',
}

export const avatarRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { config, callers, avatars, files }) => {
  app.get('/uploads/avatars/:file', { schema: api.avatar }, async (request, reply) => {
    const { file } = request.params
    const found = isAvatarName(file) ? await files.read(file) : undefined
    if (!found) throw notFound('not_found', 'Not found')
    return reply.headers({ ...harmless, 'content-length': found.size }).send(found.stream)
  })

  // Only this route understands multipart; everywhere else it is an unsupported type.
  app.register(async (upload) => {
    await upload.register(multipart, { limits: multipartLimits })
    const options = { schema: api.uploadAvatar, onRequest: callers.signedIn }
    upload.put('/api/users/:id/upload-avatar', options, async (request, reply) => {
      const { userId } = await callers.callerOf(request)
      const { id } = request.params as { id: string }
      if (userId !== id) throw accessDenied()
      if (!request.isMultipart())
        throw new ExpectedError('unsupported', 'unsupported_media_type', 'Please send multipart/form-data')

      await avatars.allow(userId)
      const bytes = await within(config.avatarUploadWithinMs, reply, readUpload(request))
      const name = await avatars.replace(userId, bytes)
      return { success: true as const, avatar: avatarPath(name)! }
    })
  })
}
