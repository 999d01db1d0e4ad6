import { pngOf } from './image-files.ts'
import type { TestMinting } from './minting.ts'

export type FilePart = { bytes: Buffer; name?: string; type?: string; field?: string }

/** Posts the form of a new work; by default a valid one. */
export async function postMint(
  minting: TestMinting,
  userId: string | null,
  {
    fields = {},
    files,
    headers = {},
  }: { fields?: Record<string, string | undefined>; files?: FilePart[]; headers?: Record<string, string> } = {},
) {
  const form = new FormData()
  const texts = { name: 'Dusk', description: 'Evening light', category: 'Art', ...fields }
  for (const [name, text] of Object.entries(texts)) if (text !== undefined) form.append(name, text)
  for (const { bytes, name = 'dusk.png', type = 'image/png', field = 'image' } of files ?? [{ bytes: await pngOf() }])
    form.append(field, new File([new Uint8Array(bytes)], name, { type }))
  const encoded = new Response(form)
  return minting.app.inject({
    method: 'POST',
    url: '/api/mints',
    headers: {
      ...(userId === null ? {} : minting.bearer(userId)),
      'content-type': encoded.headers.get('content-type')!,
      ...headers,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
}
