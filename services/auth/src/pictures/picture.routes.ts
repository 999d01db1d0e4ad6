import { getCover, removeCover, uploadCover } from '@nifty/api/auth/covers'
import { getAvatar, uploadAvatar } from '@nifty/api/auth/public'
import { accessDenied, notFound } from '@nifty/service-kit/base/errors'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { createUploadPlaces } from '@nifty/service-kit/images/upload-places'
import { multipartForms, readImageUpload } from '@nifty/service-kit/images/uploads'
import type { OpenedObject } from '@nifty/service-kit/objects/objects'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { avatarPath, coverPath } from '../accounts/account.ts'
import type { Deps } from '../deps.ts'
import type { Pictures } from './picture.actions.ts'
import {
  coverSuffix,
  fileName,
  isAvatarFile,
  isCoverName,
  largeAvatar,
  MAX_AVATAR_BYTES,
  MAX_COVER_BYTES,
  WIDEST_COVER,
} from './picture.ts'

/** They prevent browsers from executing or framing an uploaded picture. */
const headers = {
  'content-type': 'image/webp',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
  'cache-control': 'public, max-age=31536000, immutable',
}

function send(reply: FastifyReply, found: OpenedObject | undefined) {
  if (!found) throw notFound('not_found', 'Not found')
  return reply.headers({ ...headers, 'content-length': found.size }).send(found.stream)
}

/** The caller, who must be the account in the path. */
function ownerOf(request: FastifyRequest<{ Params: { id: string } }>) {
  const { userId } = callerOf(request)
  if (userId !== request.params.id) throw accessDenied()
  return userId
}

export const pictureRoutes: FastifyPluginAsync<Deps> = async (app, { avatars, covers }) => {
  registerRoute(app, getAvatar, async ({ params: { file } }, reply) => {
    if (!isAvatarFile(file)) return send(reply, undefined)
    // An avatar of an older release has no small picture.
    return send(reply, (await avatars.read(file)) ?? (await avatars.read(largeAvatar(file))))
  })

  registerRoute(app, getCover, async ({ params: { file }, query: { w = WIDEST_COVER } }, reply) =>
    send(reply, isCoverName(file) ? await covers.read(fileName(file, coverSuffix(w))) : undefined),
  )

  registerRoute(app, removeCover, async (request) => {
    await covers.clear(ownerOf(request))
    return { success: true as const, message: 'Cover removed' }
  })

  // Multipart is registered for these routes only; other routes refuse it as an unsupported type.
  app.register(async (upload) => {
    const withPlace = createUploadPlaces({ maxBytes: Math.max(MAX_AVATAR_BYTES, MAX_COVER_BYTES) })
    await upload.register(multipartForms)

    async function replace(
      request: FastifyRequest<{ Params: { id: string } }>,
      pictures: Pictures,
      form: { fileField: string; maxBytes: number },
    ) {
      const userId = ownerOf(request)
      return withPlace(userId, async (countBytes) => {
        await pictures.allow(userId)
        const { bytes } = await readImageUpload(request, { ...form, countBytes })
        return pictures.replace(userId, bytes)
      })
    }

    registerRoute(upload, uploadAvatar, async (request) => {
      const name = await replace(request, avatars, { fileField: 'avatar', maxBytes: MAX_AVATAR_BYTES })
      return { success: true as const, avatar: avatarPath(name)! }
    })

    registerRoute(upload, uploadCover, async (request) => {
      const name = await replace(request, covers, { fileField: 'cover', maxBytes: MAX_COVER_BYTES })
      return { success: true as const, cover: coverPath(name)! }
    })
  })
}
