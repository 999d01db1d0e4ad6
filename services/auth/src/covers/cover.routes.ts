import * as api from '@nifty/api/auth/covers'
import { accessDenied, notFound } from '@nifty/service-kit/base/errors'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { multipartForms, readImageUpload } from '@nifty/service-kit/images/uploads'
import type { FastifyPluginAsync } from 'fastify'
import { coverPath } from '../accounts/account.ts'
import type { Deps } from '../deps.ts'
import { imageHeaders } from '../images/image.headers.ts'
import { fileName } from '../images/image.ts'
import { coverSuffix, isCoverName, MAX_COVER_BYTES, WIDEST_COVER } from './cover.ts'

export const coverRoutes: FastifyPluginAsync<Deps> = async (app, { covers }) => {
  registerRoute(app, api.getCover, async ({ params: { file }, query: { w = WIDEST_COVER } }, reply) => {
    const found = isCoverName(file) ? await covers.read(fileName(file, coverSuffix(w))) : undefined
    if (!found) throw notFound('not_found', 'Not found')
    return reply.headers({ ...imageHeaders, 'content-length': found.size }).send(found.stream)
  })

  registerRoute(app, api.removeCover, async (request) => {
    const { userId } = callerOf(request)
    if (userId !== request.params.id) throw accessDenied()
    await covers.clear(userId)
    return { success: true as const, message: 'Cover removed' }
  })

  // Multipart is registered for this route only; other routes refuse it as an unsupported type.
  app.register(async (upload) => {
    await upload.register(multipartForms)
    registerRoute(upload, api.uploadCover, async (request) => {
      const { userId } = callerOf(request)
      if (userId !== request.params.id) throw accessDenied()
      await covers.allow(userId)
      const { bytes } = await readImageUpload(request, { fileField: 'cover', maxBytes: MAX_COVER_BYTES })
      return { success: true as const, cover: coverPath(await covers.replace(userId, bytes))! }
    })
  })
}
