import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sharp } from '@nifty/service-kit/images/sharp'
import { openTypeOf } from './woff.ts'

/** Families in the order in which a letter is looked for, so that names in Arabic need no font of the machine. */
export const textFont = 'Inter, Noto Sans Arabic'
export const displayFont = 'Bricolage Grotesque, Noto Sans Arabic Bold'

const files = [
  '@fontsource/inter/files/inter-latin-400-normal.woff',
  '@fontsource/inter/files/inter-latin-ext-400-normal.woff',
  '@fontsource/inter/files/inter-cyrillic-400-normal.woff',
  '@fontsource/inter/files/inter-greek-400-normal.woff',
  '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff',
  '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-ext-700-normal.woff',
  '@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff',
  '@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-700-normal.woff',
]

/** Registers the fonts of share images in this process. Returns the folder that keeps them until `removeFonts`. */
export async function loadFonts(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-fonts-'))
  for (const file of files) {
    const fontfile = join(folder, `${basename(file, '.woff')}.ttf`)
    await writeFile(fontfile, openTypeOf(await readFile(fileURLToPath(import.meta.resolve(file)))))
    // A font is known to all later texts once one text has named its file.
    await sharp({ text: { text: 'x', fontfile } })
      .png()
      .toBuffer()
  }
  return folder
}

export const removeFonts = (folder: string) => rm(folder, { recursive: true, force: true })
