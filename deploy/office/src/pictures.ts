import { sendRequest } from '@nifty/service-kit/http/request'

const TIMEOUT_MS = 10_000
/** The smallest one that the store serves, in pixels. */
const WIDTH = 320

/**
 * A picture of a work as WebP, read from the store's public address: the policy of the office's pages lets them load
 * nothing from elsewhere. Undefined without one. Throws while the store does not respond.
 */
export async function readPicture(publicUrl: string, file: string): Promise<Buffer | undefined> {
  const url = `${publicUrl}/uploads/nfts/${file}?w=${WIDTH}`
  const { isOk, body } = await sendRequest(url, {
    method: 'GET',
    // A kept connection may have been closed by the store just before the request: that would be an error here.
    headers: { accept: 'image/webp', connection: 'close' },
    timeoutMs: TIMEOUT_MS,
  })
  return isOk ? body : undefined
}
