import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import mjml2html from 'mjml'

const mails = join(import.meta.dirname, '../mails')
export const layoutSource = join(mails, 'layout.mjml')
export const compiledLayout = join(mails, 'layout.html')

const colourTag = /\{\{colours\.\w+\}\}/g
/** MJML accepts colours alone where a colour stands: one that no mail has, for each tag. */
const standIn = (index: number) => `#c0ffe${index.toString(16)}`

/** The HTML of layout.mjml, with its Mustache tags. Throws for MJML that is not valid. */
export async function compileLayout(): Promise<string> {
  const source = await readFile(layoutSource, 'utf8')
  const tags = [...new Set(source.match(colourTag))]
  const coloured = source.replaceAll(colourTag, (tag) => standIn(tags.indexOf(tag)))
  const { html: compiled } = await mjml2html(coloured, { validationLevel: 'strict', keepComments: false })
  const html = tags.reduce((text, tag, index) => text.replaceAll(standIn(index), tag), compiled)
  // Indentation is most of what MJML writes.
  return `${html.replaceAll(/\s*\n\s*/g, '\n').trim()}\n`
}
