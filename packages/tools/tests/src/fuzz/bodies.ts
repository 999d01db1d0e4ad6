import { crc32, deflateSync } from 'node:zlib'
import type { Draw } from './draw.ts'
import { extraField, hostileText, hostileValue } from './values.ts'

const BOUNDARY = 'fuzz-boundary'
export const multipartType = `multipart/form-data; boundary=${BOUNDARY}`
const MAX_BODY = 100 * 1024

/** A valid PNG of one colour. */
export function picture(side = 640): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, checksum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 0], 8)
  const pixels = deflateSync(Buffer.alloc((side + 1) * side))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const files = {
  png: picture(),
  truncated: picture().subarray(0, 60),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  html: Buffer.from('<html><script>alert(1)</script></html>'),
  gif: Buffer.from('GIF89a\xff\xff\xff\xff', 'latin1'),
  huge: picture(6_000),
  empty: Buffer.alloc(0),
}

/** A form of these fields; the fields of `format: binary` in the schema become files. */
export function multipart({ chance, pick, draw }: Draw, fields: Record<string, unknown>, fileFields: string[]): Buffer {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const isFile = fileFields.includes(name)
    const content = isFile ? (chance(70) ? files.png : files[pick(Object.keys(files)) as keyof typeof files]) : value
    const filename = pick(['a.png', '../../x.png', 'a.png.html', 'a\u0000.png', 'é'.repeat(150)])
    const type = pick(['image/png', 'image/svg+xml', 'text/html', 'application/octet-stream'])
    const about = isFile ? `; filename="${filename}"\r\ncontent-type: ${type}` : ''
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(String(content))
    return [Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${about}\r\n\r\n`), bytes]
      .concat(Buffer.from('\r\n'))
      .concat(chance(3) ? [Buffer.from(draw(hostileText))] : [])
  })
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

/** One field somewhere in the value replaced, removed or added. */
export function changeField(tools: Draw, value: unknown, depth = 0): unknown {
  const { draw, pick, chance } = tools
  if (typeof value !== 'object' || value === null || chance(10 + 20 * depth)) return draw(hostileValue)
  if (Array.isArray(value)) return value.map((each) => changeField(tools, each, depth + 1))
  const names = Object.keys(value)
  const entries = Object.entries(value)
  if (names.length === 0 || chance(25)) return Object.fromEntries([...entries, draw(extraField)])
  const changed = pick(names)
  if (chance(25)) return Object.fromEntries(entries.filter(([name]) => name !== changed))
  return Object.fromEntries(
    entries.map(([name, own]) => [name, name === changed ? changeField(tools, own, depth + 1) : own]),
  )
}

/** Bytes that are not the JSON of the value, or that no parser may take for it. */
export function brokenJson({ pick, draw, chance }: Draw, text: string): Buffer {
  if (chance(30)) return Buffer.from(text.slice(0, Math.floor(text.length / 2)))
  return pick<() => Buffer>([
    () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(''),
    () => Buffer.from('{"__proto__":{"admin":true}}'),
    () => Buffer.from('{"constructor":{"prototype":{"admin":true}}}'),
    () => Buffer.from(`{"price":1e309,"amount":1e309,"forSale":true}`),
    () => Buffer.from('{"price":12345678901234567890,"price":1}'),
    () => Buffer.from('['.repeat(5_000)),
    () => Buffer.from(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`),
    () => Buffer.from('"\\ud800"'),
    () => Buffer.from(`{"email":"${'a'.repeat(MAX_BODY + 1)}"}`),
    () => Buffer.from('email=a%40b.example&password=x'),
    () => Buffer.from(draw(hostileText)),
  ])()
}
