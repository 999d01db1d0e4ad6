import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { STORE_ICON } from '@nifty/api/gateway'
import { sizeOfPng } from './png.ts'
import { sizeOfSvg } from './svg.ts'
import { parseTheme, type Theme } from './theme.ts'

/** Files of a branding folder, each optional; width and height in pixels where they are fixed. */
const pictures: Record<string, [width: number, height: number] | undefined> = {
  'logo.svg': undefined,
  'logo.png': undefined,
  /** For white sheets: certificates, and what is printed. */
  'logo-print.svg': undefined,
  'logo-print.png': undefined,
  'favicon.svg': undefined,
  'icon-512.png': [512, 512],
  'icon-maskable-512.png': [512, 512],
  /** Behind texts and pictures of share images, whose size it has. */
  'share-background.png': [1200, 630],
}
const THEME = 'theme.css'
/** Of each file: visitors load some of them with each first page. */
const MAX_BYTES = 2_000_000

export const BRANDING_PREFIX = '/branding/'
/** The logo of mails: a PNG, because few mail programs show an SVG. The address stays, also in mails of last year. */
export const MAIL_LOGO = '/logo.png'

export type BrandingFile = { bytes: Buffer; type: 'image/png' | 'image/svg+xml' }

export type Branding = {
  /** By an address that names the content. */
  hashed: Map<string, BrandingFile>
  /** By an address that stays: in place of the build's own icons, and the logo of mails. */
  fixed: Map<string, BrandingFile>
  /** Content of a `<style>` in every document; empty without theme and logo. */
  style: string
  theme: Theme
  /** Width by height of the logo at `MAIL_LOGO`. */
  mailLogoRatio: number | undefined
  shareBackground: Buffer | undefined
}

/**
 * Reads a branding folder. Throws an error that names the file, of a theme also the line, where one is unknown,
 * unreadable or not what its name says.
 */
export function readBranding(folder: string | undefined): Branding {
  const branding: Branding = {
    hashed: new Map(),
    fixed: new Map(),
    style: '',
    theme: {},
    mailLogoRatio: undefined,
    shareBackground: undefined,
  }
  if (!folder) return branding
  // Files of a mounted volume's own begin with a dot.
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'))
  const known = [...Object.keys(pictures), THEME]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown) throw new Error(`${join(folder, unknown)}: a branding folder has only ${known.join(', ')}`)
  const files = new Map<string, BrandingFile & { ratio: number }>()
  for (const name of names) if (name !== THEME) files.set(name, readPicture(folder, name))

  const icon = files.get('icon-512.png')
  const maskable = files.get('icon-maskable-512.png')
  const vector = files.get('favicon.svg')
  if (icon) for (const path of [STORE_ICON, '/apple-touch-icon.png', '/favicon.ico']) branding.fixed.set(path, icon)
  if (maskable) branding.fixed.set('/icon-maskable-512.png', maskable)
  if (vector) branding.fixed.set('/favicon.svg', vector)
  // A browser prefers the vector icon: the build's own would hide this one.
  else if (icon) branding.fixed.set('/favicon.svg', icon)

  const theme = names.includes(THEME) ? parseTheme(readBytes(join(folder, THEME)).toString(), join(folder, THEME)) : {}
  branding.theme = theme
  const mailLogo = files.get('logo.png')
  if (mailLogo) branding.fixed.set(MAIL_LOGO, mailLogo)
  branding.mailLogoRatio = mailLogo?.ratio
  branding.shareBackground = files.get('share-background.png')?.bytes
  const tokens = Object.entries(theme).map(([name, value]) => `--${name}:${value}`)
  const addLogo = (base: string): Logo | undefined => {
    const name = [`${base}.svg`, `${base}.png`].find((each) => files.has(each))
    if (!name) return undefined
    const file = files.get(name)!
    const hash = createHash('sha256').update(file.bytes).digest('hex').slice(0, 20)
    const path = `${BRANDING_PREFIX}${hash}/${name}`
    branding.hashed.set(path, file)
    return { path, ratio: file.ratio }
  }
  const logo = addLogo('logo')
  // The logo of dark pages may be white.
  const printed = addLogo('logo-print') ?? (isLight(theme.background) ? logo : undefined)
  branding.style = [
    // Stronger than the style sheets, also than those that load later; on paper the sheets keep their black on white.
    tokens.length > 0 ? `@media screen{:root:root{${tokens.join(';')}}}` : '',
    logo ? logoRules(logo) : '',
    printed ? printedRules(printed) : '',
  ].join('')
  return branding
}

type Logo = { path: string; ratio: number }

/** Whether a colour, #rrggbb, is nearer to white than to black. */
const isLight = (colour = '#000000') => Buffer.from(colour.slice(1), 'hex').reduce((sum, part) => sum + part, 0) > 382

/** A picture as the background of a text, which stays for those who do not see it. */
const inPlaceOfText = ({ path, ratio }: Logo) =>
  `{display:block;flex:none;width:min(27vw,${(2.25 * ratio).toFixed(3)}rem);height:2.25rem;max-width:none;overflow:hidden;font-size:0;color:transparent;background:url("${path}") left center/contain no-repeat;print-color-adjust:exact}`

/** The logo in place of the word mark, also on a receipt on the screen. */
const logoRules = (logo: Logo) =>
  `.wordmark[data-size][data-size][data-size]${inPlaceOfText(logo)}.wordmark[data-size][data-size] .wordmark__dot{display:none}@media screen{.print-sheet:not(.certificate) .print-sheet__logo${inPlaceOfText(logo)}}`

/** The logo on white. */
const printedRules = (logo: Logo) =>
  `.certificate .print-sheet__logo${inPlaceOfText(logo)}@media print{.print-sheet .print-sheet__logo${inPlaceOfText(logo)}}`

function readBytes(file: string): Buffer {
  const found = statSync(file)
  if (!found.isFile()) throw new Error(`${file} is no file`)
  if (found.size > MAX_BYTES) throw new Error(`${file} has more than ${MAX_BYTES / 1_000_000} MB`)
  return readFileSync(file)
}

function readPicture(folder: string, name: string): BrandingFile & { ratio: number } {
  const file = join(folder, name)
  const bytes = readBytes(file)
  const isVector = name.endsWith('.svg')
  const size = isVector ? sizeOfSvg(bytes.toString()) : sizeOfPng(bytes)
  if (!size) throw new Error(`${file} is no ${isVector ? 'whole SVG with a viewBox' : 'whole PNG'}`)
  const wanted = pictures[name]
  if (wanted && (size.width !== wanted[0] || size.height !== wanted[1]))
    throw new Error(`${file} has ${size.width} × ${size.height} pixels and needs ${wanted.join(' × ')}`)
  return { bytes, type: isVector ? 'image/svg+xml' : 'image/png', ratio: size.width / size.height }
}
