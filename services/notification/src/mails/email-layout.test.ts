import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compiledLayout, compileLayout } from '../preview/compile-layout.ts'
import { mailSamples } from '../preview/samples.ts'
import { type EmailContent, type MailedWork, renderHtml, renderText } from './email-layout.ts'
import { mailLookOf } from './mail-look.ts'

const company = {
  name: 'Galerie Nord & Söhne GmbH',
  number: 'HRB 0012',
  register: 'Amtsgericht Hamburg',
  address: ['Deichstraße 1', '20459 Hamburg'],
  email: 'post@nord.example',
}
const store = {
  publicUrl: 'https://store.test',
  name: '<b>Lumen & Söhne</b>',
  tagline: 'Art, <i>{{lit}}</i>.',
  company,
  look: mailLookOf({ theme: {}, mailLogoRatio: undefined }, 'https://store.test'),
}
const picture = 'https://store.test/uploads/nfts/one.webp?w=640'
const samples = Object.entries(mailSamples(store, [picture, picture, picture]))
const content = (changes: Partial<EmailContent>): EmailContent => ({
  subject: 'A mail',
  paragraphs: ['Text'],
  ...changes,
})
const work = (name: string): MailedWork => ({ name, detail: '5\u00a0€', url: 'https://store.test/item', picture })

test('layout.html is made of layout.mjml (`npx pnpm mails:compile`)', async () => {
  expect(readFileSync(compiledLayout, 'utf8')).toBe(await compileLayout())
})

test.each(samples)('the mail “%s” names the company and how to get help, in both parts', (_name, sample) => {
  const html = renderHtml(sample, store)
  const text = renderText(sample, store)
  for (const part of ['HRB 0012', 'Amtsgericht Hamburg', 'Deichstraße 1, 20459 Hamburg', 'post@nord.example']) {
    expect(html).toContain(part)
    expect(text).toContain(part)
  }
  expect(html).toContain('Galerie Nord &amp; Söhne GmbH')
  expect(text).toContain('Galerie Nord & Söhne GmbH')
  expect(text).toMatch(/\n[^\n]*(\?|\? [^\n]*[^?]:)\nhttps:\/\/store\.test\/contact/)
  expect(text).not.toContain('?:')
  expect(html).toMatch(/href="https:\/\/store\.test\/contact[^"]*"/)
})

test.each(samples)(
  'the mail “%s” has absolute links, a text for each picture, and nothing left to fill',
  (_name, sample) => {
    const html = renderHtml(sample, store)
    for (const [, url] of html.matchAll(/(?:href|src)="([^"]*)"/g))
      expect(url).toMatch(/^(https:\/\/store\.test\/|mailto:)/)
    for (const [image] of html.matchAll(/<img[^>]*>/g)) expect(image).toMatch(/alt="“[^"]+”"/)
    expect((html + renderText(sample, store)).replaceAll('{{lit}}', '')).not.toMatch(
      /\{\{|\}\}|undefined|\bnull\b|\[object/,
    )
  },
)

test.each(samples)('the mail “%s” has the name and the tagline of the store as text', (_name, sample) => {
  const html = renderHtml(sample, store)
  expect(html).toContain('&lt;b&gt;Lumen &amp; Söhne&lt;/b&gt;<span')
  expect(html).toContain('&lt;b&gt;Lumen &amp; Söhne&lt;/b&gt;: Art, &lt;i&gt;{{lit}}&lt;/i&gt;.')
  expect(renderText(sample, store)).toContain('\n-- \n<b>Lumen & Söhne</b>\nArt, <i>{{lit}}</i>.\nGalerie Nord')
  expect(html + renderText(sample, store) + sample.subject).not.toMatch(/nifty/i)
})

test('a name of HTML or of Mustache tags stays text', () => {
  const name = '<img src=x onerror=alert(1)>"\'&{{company.email}}{{{subject}}}'
  const html = renderHtml(
    content({ subject: name, paragraphs: [name], works: [work(name)], facts: [[name, name]] }),
    store,
  )
  expect(html).not.toContain('<img src=x')
  expect(html).not.toContain(`post@nord.example{{`)
  expect(
    html.match(/&lt;img src=x onerror=alert\(1\)&gt;&quot;&#39;&amp;\{\{company\.email\}\}\{\{\{subject\}\}\}/g)!
      .length,
  ).toBeGreaterThan(4)
})

test('one work is shown large, several as a list with their details', () => {
  expect(renderHtml(content({ works: [work('Dusk')] }), store)).toMatch(/<img\s[^>]*alt="“Dusk”"[^>]*width="360"/)
  const several = content({ works: [work('Dusk'), { ...work('Dawn'), picture: null }] })
  const html = renderHtml(several, store)
  expect(html).not.toContain('width="360"')
  expect(html.match(/<img/g)).toHaveLength(1)
  expect(html).toContain('Dawn')
  expect(renderText(several, store)).toContain('Dusk, 5\u00a0€\nhttps://store.test/item\n\nDawn, 5\u00a0€')
})

test('a mail has the colours of the theme and the logo of the shop', () => {
  const theme = { background: '#fafafa', text: '#102030', accent: '#3355ff', sheet: '#eeeeff' }
  const look = mailLookOf({ theme, mailLogoRatio: 3 }, store.publicUrl)
  const html = renderHtml(content({ action: { label: 'Go', url: 'https://store.test/' } }), { ...store, look })
  expect(html).toMatch(
    /<img src="https:\/\/store\.test\/logo\.png" alt="&lt;b&gt;Lumen &amp; Söhne&lt;\/b&gt;" width="108" height="36"/,
  )
  for (const colour of Object.values(theme)) expect(html).toContain(colour)
  for (const colour of ['#0b0b0d;background', '#d9ff52', '#f3f1ec']) expect(html).not.toContain(colour)
  expect(renderHtml(content({}), store)).not.toContain('<img')
})

test('a wide logo is narrower than the mail', () => {
  expect(mailLookOf({ theme: {}, mailLogoRatio: 16 }, '').logo).toEqual({ src: '/logo.png', width: 320, height: 20 })
})
