import * as api from '@nifty/api/auth/public'
import { accessDenied, notFound } from '@nifty/service-kit/base/errors'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { multipartForms, readImageUpload } from '@nifty/service-kit/images/uploads'
import type { FastifyPluginAsync } from 'fastify'
import { avatarPath } from '../accounts/account.ts'
import type { Deps } from '../deps.ts'
import { imageHeaders } from '../images/image.headers.ts'
import { isAvatarName, largeAvatar, MAX_AVATAR_BYTES } from './avatar.ts'

export const avatarRoutes: FastifyPluginAsync<Deps> = async (app, { avatars }) => {
  registerRoute(app, api.getAvatar, async (request, reply) => {
    const { file } = request.params
    if (!isAvatarName(file)) throw notFound('not_found', 'Not found')
    // An avatar of an older release has no small picture.
    const found = (await avatars.read(file)) ?? (await avatars.read(largeAvatar(file)))
    if (!found) throw notFound('not_found', 'Not found')
    return reply.headers({ ...imageHeaders, 'content-length': found.size }).send(found.stream)
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
