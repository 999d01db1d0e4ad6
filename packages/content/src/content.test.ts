import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { describe, expect, test } from 'vitest'
import { readContent } from './content.ts'
import { readTerms } from './terms.ts'

const company = {
  name: 'Galerie <b>Lumen</b> *GmbH*',
  number: 'HRB 7',
  register: 'Registered in Berlin',
  address: ['Lindenweg 1', 'Berlin'],
  email: 'post@lumen.test',
}
const lumen = { store: { name: 'Lumen & Söhne' }, company }

/** A folder with these files; null: a folder in place of one. */
async function folderWith(files: Record<string, string | Buffer | null>) {
  const folder = await temporaryFolder('content')
  for (const [name, text] of Object.entries(files))
    text === null ? mkdirSync(join(folder, name)) : writeFileSync(join(folder, name), text)
  return folder
}

const read = async (files: Record<string, string>) => readContent(await folderWith(files), lumen).texts
const terms = (body: string, head = '') => ({
  'terms.md': `---\ntitle: AGB\nversion: 2026-11-01\n${head}---\n\n${body}`,
})

test('the repository’s own texts are the specification’s', () => {
  const { home, questions, terms, privacy, cookies } = readContent(undefined, lumen).texts
  expect(home).toMatchObject({
    title: 'Explore Our collection of Rare NFT Artworks',
    action: 'Explore now',
    topItems: 'Top Items',
    discover: 'Discover Items',
    creators: 'Best Creators',
    contact: 'Have Question ? Get in touch!',
  })
  expect(questions).toMatchObject({ title: 'Q&A', lang: 'en' })
  expect(questions.entries).toHaveLength(4)
  expect(terms).toMatchObject({ title: 'Terms & Conditions', crumb: 'Terms', version: '2025-02-13' })
  expect(terms.contents.match(/<li>/g)).toHaveLength(11)
  expect(privacy).toMatchObject({ title: 'Privacy policy', summary: 'Last updated 13 February 2025' })
  expect(cookies.title).toBe('Cookie Declaration')
  expect(cookies.body).toContain('20.01.2025')
  for (const name of ['cookie_consent', '_ga', '_ga_#']) expect(cookies.body).toContain(`<th scope="row">${name}</th>`)
})

test('a shop’s own file takes the place of one, the others stay', async () => {
  const { terms: own, privacy } = await read(terms('## Geltung\n\nFür alle.', 'lang: de\ncrumb: AGB\n'))
  expect(own).toMatchObject({ title: 'AGB', lang: 'de', version: '2026-11-01' })
  expect(own.body).toBe('<section aria-labelledby="geltung"><h2 id="geltung">Geltung</h2><p>Für alle.</p></section>')
  expect(privacy.title).toBe('Privacy policy')
  const { questions } = await read({
    'questions.md': '---\ntitle: Fragen\n---\n\n## Was?\n\nKunst.\n\n## Wie?\n\n- so\n',
  })
  expect(questions.entries.map(({ title }) => title)).toEqual(['Was?', 'Wie?'])
})

test('placeholders are filled in addresses and hints of links as well', async () => {
  const { terms: text } = await read(
    terms('## A\n\n[a](<https://b.test/{{ storeName }}>) [b](/c "Of {{storeName}}") [d](/e#{{storeName}})'),
  )
  expect(text.body).toContain('href="https://b.test/Lumen%20%26%20S%C3%B6hne"')
  expect(text.body).toContain('<a href="/c" title="Of Lumen &amp; Söhne">')
  expect(text.body).toContain('href="/e#Lumen%20%26%20S%C3%B6hne"')
})

test('a value that only begins and ends with a quotation keeps its quotes', async () => {
  const { terms: text } = await read(terms('## A\n\nb', 'summary: "Art" and "Works"\ncrumb: "Terms: ours"\n'))
  expect(text).toMatchObject({ summary: '&quot;Art&quot; and &quot;Works&quot;', crumb: 'Terms: ours' })
})

test('the hash of a text changes with it, and with a value in it', async () => {
  const hashOf = async (files: Record<string, string>, of = lumen) =>
    readContent(await folderWith(files), of).hashes.terms
  const first = await hashOf(terms('## A\n\n{{storeName}}'))
  expect(await hashOf(terms('## A\n\n{{storeName}}'))).toBe(first)
  expect(await hashOf(terms('## A\n\n{{storeName}}.'))).not.toBe(first)
  expect(await hashOf(terms('## A\n\n{{storeName}}'), { ...lumen, store: { name: 'Nord' } })).not.toBe(first)
})

test('markup in a file and in a value is text, also in headings, tables and the head', async () => {
  const hostile = '<img src=x onerror=alert(1)>'
  const { terms: text } = await read(
    terms(
      `Before ${hostile}\n\n## Of ${hostile}\n\n{{companyName}} ${hostile}\n\n| ${hostile} |  b |\n| :---: | --- |\n| {{companyName}} | c |\n\n<script>alert(1)</script>\n`,
      `summary: Of {{companyName}} ${hostile}\n`,
    ),
  )
  for (const html of [text.body, text.contents, text.summary]) {
    expect(html).not.toMatch(/<(img|script|b)\b/)
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  }
  expect(text.body).toContain('Galerie &lt;b&gt;Lumen&lt;/b&gt; *GmbH*')
  expect(text.body).not.toContain('style=')
})

test('links lead to own pages, to http(s) in a new tab, and to mail addresses', async () => {
  const { terms: text } = await read(
    terms('## A\n\n[a](/contact) [b](https://b.test) [c](mailto:{{companyEmail}}) [d](#a)'),
  )
  expect(text.body).toContain('<a href="/contact">a</a>')
  expect(text.body).toContain('<a href="https://b.test" target="_blank" rel="noopener noreferrer">b</a>')
  expect(text.body).toContain('<a href="mailto:post@lumen.test">c</a>')
})

describe('refused with file and line', () => {
  const head = '---\ntitle: T\nversion: v1\n---\n'
  test.each([
    ['terms.md', '## A\n\nText', 'terms.md:1: the head is missing'],
    ['terms.md', '---\ntitle: T\nversion: v1\n\n## A', 'terms.md:1: the head is not closed'],
    ['terms.md', '---\ntitle: T\n---\n\n## A\n\nText', 'terms.md:3: version is missing in the head'],
    ['privacy.md', '---\nversion: v1\n---\n\n## A\n\nText', 'privacy.md:3: title is missing in the head'],
    ['terms.md', '---\ntitle: T\nversion:\n---\n\n## A', 'terms.md:3: version is empty'],
    ['terms.md', '---\ntitle: T\nversion: a b\n---\n\n## A', 'terms.md:3: version must be letters'],
    ['terms.md', '---\ntitle: T\nversion: v1\neffective: 2026-02-30\n---\n## A', 'terms.md:4: effective must be a day'],
    ['terms.md', '---\ntitle: T\nversion: v1\nlang: German\n---\n## A', 'terms.md:4: lang must be a language'],
    ['terms.md', '---\ntitle: T\ntitle: U\nversion: v1\n---\n## A', 'terms.md:3: title is named twice'],
    ['terms.md', '---\ntitle: T\nversoin: v1\n---\n## A', 'terms.md:3: unknown key versoin'],
    ['terms.md', '---\ntitle: T\nand so on\n---\n## A', 'terms.md:3: this is no line "key: value"'],
    ['terms.md', `${head}\n## A\n\nOf\n{{shopName}}`, 'terms.md:9: unknown placeholder {{shopName}}'],
    ['terms.md', `${head}\n## A\n\nOf {{storeName`, 'terms.md:8: a placeholder is not closed'],
    ['terms.md', '---\ntitle: {{x}}\nversion: v1\n---\n## A', 'terms.md:2: unknown placeholder {{x}}'],
    ['terms.md', `${head}\n## A\n\nOne\n[b](javascript:alert(1))`, 'terms.md:9: a link must begin with'],
    ['terms.md', `${head}\n## A\n\n- one\n- [b](//b.test)`, 'terms.md:9: a link must begin with'],
    ['terms.md', `${head}\n## A\n\n<vbscript:x>`, 'terms.md:8: a link must begin with'],
    ['terms.md', `${head}\n## A\n\n![b](https://b.test/c.png)`, 'terms.md:8: pictures cannot be shown'],
    ['terms.md', `${head}\n# A\n\nText`, 'terms.md:6: the title of the head is the only heading'],
    ['terms.md', `${head}\nText`, 'terms.md:5: there is no section'],
    ['terms.md', `${head}\n## A\n\nx\n\n## A\n\ny`, 'terms.md:10: two headings have the id a'],
    ['terms.md', `${head}\n## A\n\n\xff`, 'terms.md:8: this is not UTF-8'],
    ['terms.md', `${head}\n## A\n\nx\0`, 'terms.md:8: control characters'],
    ['terms.md', `${head}\n## A\n\nx\x1b[2J`, 'terms.md:8: control characters'],
    ['terms.md', `${head}\n## A\n\n${'x'.repeat(500_000)}`, 'terms.md:1: more than 500 kB'],
    ['terms.md', `${head}\n## A\n\n> ## B\n> c`, 'terms.md:8: a heading in a list'],
    ['terms.md', `${head}\n## A\n\n- b\n\n  ### C`, 'terms.md:10: a heading in a list'],
    ['terms.md', `${head}\n## A\n\nfor ever.\n---\n\nb`, 'terms.md:8: the line of dashes'],
    ['terms.md', `${head}\n## A\n\n[b](https://b.test/%7B%7Bc%7D%7D)`, 'terms.md:8: unknown placeholder {{c}}'],
    ['terms.md', `${head}\n## A\n\n[b](/%7b%7bconstructor%7d%7d)`, 'terms.md:8: unknown placeholder'],
    ['questions.md', '---\ntitle: Q\n---\n\nText\n', 'questions.md:4: text before the first question'],
    ['questions.md', '---\ntitle: Q\n---\n\n', 'questions.md:4: there is no question'],
    ['questions.md', '---\ntitle: Q\n---\n\n## A\n\n## B\n\nb', 'questions.md:5: this question has no answer'],
    ['home.md', '---\ntitle: H\n---\n\nLead', 'home.md:3: action is missing in the head'],
    ['imprint.md', head, 'imprint.md:1: no page has this file'],
  ])('%s %j', async (name, text, message) => {
    const folder = await folderWith({ [name]: Buffer.from(text, 'latin1') })
    expect(() => readContent(folder, lumen)).toThrow(`${folder}/${message}`)
  })

  test('a folder in place of a file', async () => {
    const folder = await folderWith({ 'terms.md': null })
    expect(() => readContent(folder, lumen)).toThrow(`${folder}/terms.md:1: this is no file`)
  })

  test('a folder that does not exist', () => {
    expect(() => readContent('/nowhere/at/all', lumen)).toThrow('CONTENT_DIR: /nowhere/at/all cannot be read (ENOENT)')
    expect(() => readTerms('/nowhere/at/all')).toThrow('CONTENT_DIR')
  })
})

test('files of the system beside the texts are no texts', async () => {
  expect((await read({ '..data': '', '.gitkeep': '' })).privacy.title).toBe('Privacy policy')
})

test('payments reads the version, the day and the text of the terms only', async () => {
  const folder = await folderWith(terms('## A\n\n{{unknown}}', 'effective: 2026-12-01\n'))
  expect(readTerms(folder)).toEqual({ version: '2026-11-01', effectiveDay: '2026-12-01', text: '## A\n\n{{unknown}}' })
})
