import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Done, File, Id } from '../shapes.ts'

export const uploadCover = endpoint({
  summary: 'Stores the image at the head of the own profile',
  description: 'PNG, JPEG, GIF (its first frame) or WebP, at most 10 MB.',
  method: 'PUT',
  path: '/api/users/:id/cover',
  access: 'account',
  consumes: 'multipart/form-data',
  documented: { body: Type.Object({ cover: File }) },
  params: Type.Object({ id: Id }),
  response: Type.Object({ success: Type.Literal(true), cover: Type.String() }),
})

export const removeCover = endpoint({
  summary: 'Removes the image at the head of the own profile',
  description: 'Also 200 without a cover.',
  method: 'DELETE',
  path: '/api/users/:id/cover',
  access: 'account',
  params: Type.Object({ id: Id }),
  response: Done,
})

export const getCover = endpoint({
  summary: 'The image at the head of a profile',
  description: 'WebP, three times as wide as high; `w` is its width in pixels, 2400 without it.',
  method: 'GET',
  path: '/uploads/covers/:file',
  access: 'public',
  limit: limits.images,
  params: Type.Object({ file: Type.String({ maxLength: 100 }) }),
  query: Type.Object({ w: Type.Optional(Type.Enum(['640', '1120', '1680', '2400'])) }),
  documented: { query: Type.Object({ w: Type.Optional(Type.Enum([640, 1120, 1680, 2400])) }) },
  produces: ['image/webp'],
})
