import { readContentFile } from './files.ts'

/** The terms in force: version, the day from which they are, if the file names it, and the text as Markdown. */
export type Terms = { version: string; effectiveDay: string | null; text: string }

/** Reads the terms of a shop's folder, or the repository's own. Throws a ContentError. */
export function readTerms(folder: string | undefined): Terms {
  const { head, body } = readContentFile(folder, 'terms')
  return { version: head.version, effectiveDay: head.effective ?? null, text: body.trim() }
}
