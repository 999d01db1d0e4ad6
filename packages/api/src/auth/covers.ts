import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Done, File, Id } from '../shapes.ts'

/** The image at the head of the own profile: PNG, JPEG, GIF (its first frame) or WebP, at most 10 MB. */
export const uploadCover = endpoint({
  method: 'PUT',
  path: '/api/users/:id/cover',
  access: 'account',
  consumes: 'multipart/form-data',
  documented: { body: Type.Object({ cover: File }) },
  params: Type.Object({ id: Id }),
  response: Type.Object({ success: Type.Literal(true), cover: Type.String() }),
})

/** Also 200 without a cover. */
export const removeCover = endpoint({
  method: 'DELETE',
  path: '/api/users/:id/cover',
  access: 'account',
  params: Type.Object({ id: Id }),
  response: Done,
})

/**
 * `GET /uploads/covers/{file}`: a WebP picture, three times as wide as high; `w` is its width in pixels, 2400 without
 * it.
 */
export const getCover = endpoint({
  method: 'GET',
  path: '/uploads/covers/:file',
  access: 'public',
  limit: limits.images,
  params: Type.Object({ file: Type.String({ maxLength: 100 }) }),
  query: Type.Object({ w: Type.Optional(Type.Enum(['640', '1120', '1680', '2400'])) }),
  produces: ['image/webp'],
})
