import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/auth'
import { accessDenied, notFound } from '@nifty/service-kit/errors'
import { multipartForms, readImageUpload } from '@nifty/service-kit/uploads'
import { avatarPath } from '../accounts/account.ts'
import type { Deps } from '../deps.ts'
import { isAvatarName, MAX_AVATAR_BYTES } from './avatar.ts'

/** Prevents browsers from executing or framing a file. */
const safeHeaders = {
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
    return reply.headers({ ...safeHeaders, 'content-length': found.size }).send(found.stream)
  })

  // Multipart is registered for this route only; other routes refuse it as an unsupported type.
  app.register(async (upload) => {
    await upload.register(multipartForms)
    const options = { schema: api.uploadAvatar, onRequest: callers.signedIn }
    upload.put('/api/users/:id/upload-avatar', options, async (request) => {
      const { userId } = await callers.callerOf(request)
      const { id } = request.params as { id: string }
      if (userId !== id) throw accessDenied()
      await avatars.allow(userId)
      const { bytes } = await readImageUpload(request, {
        fileField: 'avatar',
        maxBytes: MAX_AVATAR_BYTES,
        timeoutMs: config.avatarUploadTimeoutMs,
      })
      const name = await avatars.replace(userId, bytes)
      return { success: true as const, avatar: avatarPath(name)! }
    })
  })
}
