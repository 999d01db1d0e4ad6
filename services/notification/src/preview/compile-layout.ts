import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import mjml2html from 'mjml'

const mails = join(import.meta.dirname, '../mails')
export const layoutSource = join(mails, 'layout.mjml')
export const compiledLayout = join(mails, 'layout.html')

/** The HTML of layout.mjml, with its Mustache tags. Throws for MJML that is not valid. */
export async function compileLayout(): Promise<string> {
  const source = await readFile(layoutSource, 'utf8')
  const { html } = await mjml2html(source, { validationLevel: 'strict', keepComments: false })
  // Indentation is most of what MJML writes.
  return `${html.replaceAll(/\s*\n\s*/g, '\n').trim()}\n`
}
