import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { defaultColours, themeTokens } from '@nifty/service-kit/base/theme'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startTestGateway, testFrontEnd } from '../testing/gateway.ts'

const png = (width: number, height = width) =>
  sharp({ create: { width, height, channels: 3, background: '#3355ff' } })
    .png()
    .toBuffer()
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><script>alert(1)</script></svg>'

/** With the checksum that fits, as an encoder that was stopped writes it. */
function withoutPixels(bytes: Buffer) {
  const at = bytes.indexOf('IDAT') - 4
  const end = bytes.indexOf('IEND') - 4
  const empty = Buffer.from('\0\0\0\0IDAT\0\0\0\0', 'latin1')
  empty.writeUInt32BE(crc32('IDAT'), 8)
  return Buffer.concat([bytes.subarray(0, at), empty, bytes.subarray(end)])
}

/** The checksum of the last chunk, which is empty. */
const withLastByteChanged = (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])])

/** `null`: a folder. */
type Files = Record<string, string | Buffer | null>

async function startBranded(files: Files) {
  const brandingDir = await temporaryFolder('branding')
  for (const [name, content] of Object.entries(files))
    await (content === null ? mkdir(join(brandingDir, name)) : writeFile(join(brandingDir, name), content))
  return startTestGateway({}, { brandingDir })
}

test('a document has the theme and the logo in one style that its policy allows, and no other one', async () => {
  const theme = '/* Lumen */\n:root {\n  --background: #ffffff;\n  --font-display: "Georgia", serif;\n}\n'
  const { url } = await startBranded({ 'theme.css': theme, 'logo.svg': svg, 'icon-512.png': await png(512) })
  const response = await fetch(`${url}/creators`)
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(await response.text()) ?? []
  expect(style).toContain('@media screen{:root:root{--background:#ffffff;--font-display:"Georgia", serif}}')
  const hash = createHash('sha256').update(style).digest('base64')
  expect(response.headers.get('content-security-policy')).toContain(`style-src 'self' 'sha256-${hash}';`)

  expect((await fetch(`${url}/logo.png`)).status).toBe(404)

  const [, path = ''] = /url\("([^"]+)"\)/.exec(style) ?? []
  const logo = await fetch(url + path)
  expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(logo.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(logo.headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
  expect((await fetch(`${url}/branding/0/logo.svg`)).status).toBe(404)
  for (const icon of ['/icon-512.png', '/favicon.ico', '/apple-touch-icon.png', '/favicon.svg'])
    expect(
      Buffer.from(await (await fetch(url + icon)).arrayBuffer())
        .subarray(1, 4)
        .toString(),
      icon,
    ).toBe('PNG')
  expect(await (await fetch(`${url}/manifest.webmanifest`)).json()).toMatchObject({ theme_color: '#ffffff' })
})

test.each([
  ['a logo', { 'logo.svg': svg }, undefined],
  ['a logo for white', { 'logo.svg': svg, 'logo-print.svg': svg.replace('alert(1)', '') }, 'logo-print.svg'],
  ['a logo for white alone', { 'logo-print.png': await png(300, 100) }, 'logo-print.png'],
  ['a light theme', { 'logo.svg': svg, 'theme.css': ':root { --background: #ffffff; }' }, 'logo.svg'],
])('certificates and prints of a shop with %s show one that is seen on white, or the name', async (_, files, shown) => {
  const { url } = await startBranded(files as Record<string, string | Buffer>)
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(await (await fetch(`${url}/creators`)).text()) ?? []
  const logoOf = (selector: string) => style.split(selector)[1]?.match(/url\("[^"]+\/([^"/]+)"\)/)?.[1]
  expect(logoOf('.certificate .print-sheet__logo{')).toBe(shown)
  expect(logoOf('@media print{.print-sheet .print-sheet__logo{')).toBe(shown)
  const onScreen = 'logo.svg' in files ? 'logo.svg' : undefined
  expect(logoOf('@media screen{.print-sheet:not(.certificate) .print-sheet__logo{')).toBe(onScreen)
})

const pictureAt = async (address: string) => {
  const response = await fetch(address)
  expect(response.headers.get('content-type'), address).toBe('image/png')
  const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixel = (x: number, y: number) => data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)
  return { data, size: [info.width, info.height], corner: pixel(1, 1), middle: pixel(info.width / 2, info.height / 2) }
}

test('a shop without icons has those of its first letter and theme, and the default shop those of the build', async () => {
  const brandingDir = await temporaryFolder('branding')
  await writeFile(join(brandingDir, 'theme.css'), ':root { --background: #003300; --text: #ffeeff; }')
  const startNamed = async (name: string) =>
    (await startTestGateway({}, { brandingDir, frontEnd: { ...testFrontEnd, store: { name, tagline: 'Art.' } } })).url
  const [lumen, also, other] = await Promise.all(['Galerie Lumen', 'galerie', 'Kunsthalle'].map(startNamed))
  const icons = ['/favicon.svg', '/favicon.ico', '/apple-touch-icon.png', '/icon-192.png', '/icon-512.png']
  for (const icon of [...icons, '/icon-maskable-512.png']) {
    const { size, corner, data } = await pictureAt(lumen + icon)
    const width = icon === '/icon-192.png' ? 192 : 512
    expect([size, corner.toString('hex')], icon).toEqual([[width, width], '003300'])
    expect(data.includes(Buffer.from('ffeeff', 'hex')), icon).toBe(true)
  }
  const [first, same, different] = await Promise.all([lumen, also, other].map((url) => pictureAt(`${url}/favicon.ico`)))
  expect(first!.data.equals(same!.data)).toBe(true)
  expect(first!.data.equals(different!.data)).toBe(false)

  const { url } = await startTestGateway({})
  expect((await fetch(`${url}/icon-512.png`)).status).toBe(404)
})

test.each(['icon-512.png', 'favicon.svg'])('icons that a folder with %s lacks are made from it', async (name) => {
  const square =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#3355ff" d="M0 0h8v8H0z"/></svg>'
  const { url } = await startBranded({ [name]: name.endsWith('svg') ? square : await png(512) })
  const { corner, middle } = await pictureAt(`${url}/icon-maskable-512.png`)
  expect([corner.toString('hex'), middle.toString('hex')]).toEqual(['0b0b0d', '3355ff'])
  expect((await pictureAt(`${url}/icon-512.png`)).corner.toString('hex')).toBe('3355ff')
  expect(await pictureAt(`${url}/icon-192.png`)).toMatchObject({ size: [192, 192] })
})

test('an SVG as drawing programs write it, with comment and document type, is a logo', async () => {
  const type = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
  const { url } = await startBranded({ 'logo.svg': `<?xml version="1.0"?>\n<!-- Generator -->\n${type}\n${svg}` })
  expect(await (await fetch(`${url}/creators`)).text()).toMatch(/width:min\(27vw,6\.750rem\)/)
})

test('the logo of mails stays at its address, where web mail of another origin may show it', async () => {
  const files = { 'logo.svg': svg, 'logo.png': await png(300, 100) }
  // A ConfigMap has folders of its own.
  const { url } = await startBranded({ ...files, '..data': null, '.gitkeep': '' })
  const logo = await fetch(`${url}/logo.png`)
  expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(logo.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
})

test.each([
  ['theme.css:2', { 'theme.css': ':root {\n  --shadow: 1px;\n}' }],
  ['theme.css:3', { 'theme.css': ':root {\n  --radius: 2px;\n  color: red;\n}' }],
  ['theme.css:2', { 'theme.css': ':root {\n  --accent: red;\n}' }],
  ['theme.css:1', { 'theme.css': ':root { --spotlight: url("https://other.example/a.png") }' }],
  ['theme.css:1', { 'theme.css': ':root { --radius: 1px</style><script>alert(1)</script> }' }],
  ['theme.css:1', { 'theme.css': ':root { --radius: calc(1px }' }],
  ['theme.css:1', { 'theme.css': ':root { --transition-time: 9s }' }],
  ['theme.css:1', { 'theme.css': '@import "other.css";' }],
  ['theme.css:2', { 'theme.css': ':root { --radius: 1px }\n.buy { display: none }' }],
  ['theme.css:2', { 'theme.css': ':root {\n  --radius: 1px /* }' }],
  ['theme.css:1', { 'theme.css': ':root { --radius: 1px */ }' }],
  ['theme.css:1', { 'theme.css': ':root { --spotlight: url(a.png) }' }],
  ['theme.css:1', { 'theme.css': `:root { --font-text: "a'" 'b }` }],
  ['theme.css:1', { 'theme.css': ':root { --font-text: "a\nb" }' }],
  ['theme.css:1', { 'theme.css': ':root { --radius: ( ")" }' }],
  ['theme.css:1', { 'theme.css': ':root { --radius: \\75rl(a) }' }],
  ['logo.png is no whole PNG', { 'logo.png': svg }],
  ['logo.png is no whole PNG', { 'logo.png': (await png(300, 100)).subarray(0, -12) }],
  ['logo.png is no whole PNG', { 'logo.png': withoutPixels(await png(300, 100)) }],
  ['logo.png is no whole PNG', { 'logo.png': withLastByteChanged(await png(300, 100)) }],
  ['logo.png is no whole PNG', { 'logo.png': await png(5_000, 1) }],
  ['logo.png has more than 2 MB', { 'logo.png': Buffer.alloc(2_000_001) }],
  ['share-background.png is no whole PNG', { 'share-background.png': svg }],
  ['share-background.png has 630 × 1200 pixels', { 'share-background.png': await png(630, 1200) }],
  ['logo.svg is no whole SVG', { 'logo.svg': '<html></html>' }],
  ['logo.svg is no whole SVG', { 'logo.svg': svg.slice(0, -6) }],
  ['logo.svg is no whole SVG', { 'logo.svg': '<svg viewBox="0 0 Infinity 1"></svg>' }],
  // More would take minutes where each comment doubles the time.
  ['logo.svg is no whole SVG', { 'logo.svg': '<!--a-->'.repeat(5_000) }],
  ['logo.svg is no file', { 'logo.svg': null }],
  ['theme.css is no file', { 'theme.css': null }],
  ['icon-512.png has 64 × 64 pixels', { 'icon-512.png': await png(64) }],
  ['logo.jpg: a branding folder has only', { 'logo.jpg': 'x' }],
])('a gateway does not start with %s', async (message, files) => {
  await expect(startBranded(files as Files)).rejects.toThrow(message)
})

test.each([
  '\uFEFF<?xml version="1.0"?>\n<!-- Made by hand --><!-- twice -->\n',
  '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n',
  '<!DOCTYPE svg [ <!ENTITY ns_svg "http://www.w3.org/2000/svg"> ]>',
])('an SVG as drawing programs write it is a logo: %j', async (prolog) => {
  const { url } = await startBranded({ 'logo.svg': `${prolog}${svg.replace('<svg', '<svg data-name="a > b"')}\n` })
  expect(await (await fetch(`${url}/creators`)).text()).toContain('width:min(27vw,6.750rem)')
})

test('fonts may have names with umlauts', async () => {
  const { url } = await startBranded({ 'theme.css': `:root { --font-text: 'Söhne', "Georgia (old)", serif }` })
  expect(await (await fetch(`${url}/creators`)).text()).toContain(`--font-text:'Söhne', "Georgia (old)", serif}`)
})

test('a gateway does not start with a folder that is not there', async () => {
  await expect(startTestGateway({}, { brandingDir: '/no/such/branding' })).rejects.toThrow('/no/such/branding')
})

test('a theme sets tokens of the front end, and without one images and mails have their colours', () => {
  const tokens = readFileSync(join(import.meta.dirname, '../../../web/src/ui/tokens.css'), 'utf8')
  for (const token of themeTokens) expect(tokens).toMatch(new RegExp(`^ {2}--${token}:`, 'm'))
  for (const [token, value] of Object.entries(defaultColours)) expect(tokens).toContain(`\n  --${token}: ${value};\n`)
})
