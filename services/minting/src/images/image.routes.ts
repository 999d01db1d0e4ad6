import * as api from '@nifty/api/minting/public'
import { invalid, notFound } from '@nifty/service-kit/base/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { fileHeaders, formatFor, type Width, widths } from './image.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'
/** A smaller encoding of the same image will be ready soon. */
const SHORT_LIVED = 'public, max-age=30'

export const imageRoutes: FastifyPluginAsync<Deps> = async (app, { images }) => {
  registerRoute(app, api.getImage, async (request, reply) => {
    const { file } = request.params
    const width = widthOf(request.query.w)
    const motion = request.query.animated ? 'animated' : 'still'
    const found = await images.find(file, { width, motion, format: formatFor(request.headers.accept) })
    if (!found) throw imageNotFound()

    return reply
      .headers({
        ...fileHeaders,
        'content-type': `image/${found.format}`,
        'content-length': found.size,
        'cache-control': found.isFinal ? IMMUTABLE : SHORT_LIVED,
        vary: 'accept',
      })
      .send(found.stream)
  })
}

function widthOf(text: string | undefined): Width | undefined {
  if (text === undefined) return undefined
  const width = widths.find((one) => String(one) === text)
  if (!width) throw invalid('invalid_width', `The width must be one of ${widths.join(', ')}`)
  return width
}

const imageNotFound = () => notFound('image_not_found', 'Not found')
