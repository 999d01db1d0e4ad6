import * as api from '@nifty/api/auth/public'
import { accessDenied, notFound } from '@nifty/service-kit/errors'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { multipartForms, readImageUpload } from '@nifty/service-kit/uploads'
import type { FastifyPluginAsync } from 'fastify'
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

export const avatarRoutes: FastifyPluginAsync<Deps> = async (app, { avatars, files }) => {
  registerRoute(app, api.getAvatar, async (request, reply) => {
    const { file } = request.params
    const found = isAvatarName(file) ? await files.read(file) : undefined
    if (!found) throw notFound('not_found', 'Not found')
    return reply.headers({ ...safeHeaders, 'content-length': found.size }).send(found.stream)
  })

  // Multipart is registered for this route only; other routes refuse it as an unsupported type.
  app.register(async (upload) => {
    await upload.register(multipartForms)
    registerRoute(upload, api.uploadAvatar, async (request) => {
      const { userId } = callerOf(request)
      if (userId !== request.params.id) throw accessDenied()
      await avatars.allow(userId)
      const { bytes } = await readImageUpload(request, { fileField: 'avatar', maxBytes: MAX_AVATAR_BYTES })
      const name = await avatars.replace(userId, bytes)
      return { success: true as const, avatar: avatarPath(name)! }
    })
  })
}
