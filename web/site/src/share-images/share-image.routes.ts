import { getShareImage } from '@nifty/api/gateway'
import { limits } from '@nifty/api/limits'
import { notFound } from '@nifty/service-kit/base/errors'
import type { Upstream } from '@nifty/service-kit/http/upstream'
import type { FastifyInstance } from 'fastify'
import { versionOf } from './card.ts'
import type { Look } from './look.ts'
import { createShareImages } from './share-images.ts'
import { type Cards, readShareImagePath, shareImagePath } from './subjects.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'
const SHORT_LIVED = 'public, max-age=60'

/**
 * Serves the images that previews of links show. An address names the content: with another version, of an earlier
 * price or name, it redirects to the present one, so only the present image is drawn.
 */
export async function shareImageRoutes(
  app: FastifyInstance,
  { cards, look, minting, clientOf }: { cards: Cards; look: Look; minting: Upstream; clientOf: (ip: string) => string },
) {
  const images = createShareImages({ minting, look })

  app.get(getShareImage.path, { config: { limit: limits.shareImages } }, async (request, reply) => {
    const prefix = getShareImage.path.replace('*', '')
    const found = readShareImagePath(request.url.split('?', 1)[0]!.slice(prefix.length))
    const card = found && (await cards.of(found.subject))
    if (!found || !card) throw notFound('image_not_found', 'Not found')
    if (found.version !== versionOf(card))
      return reply.header('cache-control', SHORT_LIVED).redirect(shareImagePath(found.subject, card), 302)
    const { jpeg, isFinal } = await images.get(card, clientOf(request.ip))
    return reply
      .headers({ 'cache-control': isFinal ? IMMUTABLE : SHORT_LIVED, 'content-type': 'image/jpeg' })
      .send(jpeg)
  })
}
