import { uploadCover } from '@nifty/api/auth/covers'
import { endpointUrl } from '@nifty/api/endpoint'
import { createApiClient } from './api-client.ts'
import type { RunFile } from './run-file.ts'
import type { User } from './users.ts'
import { availableWork } from './works.ts'

/** The image of a work, 1,600 pixels wide, as a file for an upload. */
export async function coverFile(run: RunFile): Promise<Blob> {
  const { image } = await availableWork(createApiClient(run))
  const response = await fetch(`${run.url}${image}?w=1600`)
  return new Blob([await response.arrayBuffer()], { type: 'image/webp' })
}

/** Uploads a cover for the user's profile. */
export async function giveCover(run: RunFile, { token, userId }: User) {
  const form = new FormData()
  form.append('cover', await coverFile(run), 'cover.webp')
  const { status } = await fetch(run.url + endpointUrl(uploadCover, { params: { id: userId } }), {
    method: uploadCover.method,
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (status !== 200) throw new Error(`no cover: ${status}`)
}
