import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
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

/**
 * Registers the fonts of share images in this process. They are read from files only, in one folder for all processes of this
 * user: a killed one leaves nothing that adds up.
 */
export async function loadFonts() {
  const uid = process.getuid?.()
  const folder = join(tmpdir(), `nifty-fonts-${uid}`)
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const { uid: owner } = await lstat(folder)
  if (uid !== undefined && owner !== uid) throw new Error(`${folder} belongs to another user`)
  for (const file of files) {
    const woff = await readFile(fileURLToPath(import.meta.resolve(file)))
    const hash = createHash('sha256').update(woff).digest('hex').slice(0, 16)
    const fontfile = join(folder, `${basename(file, '.woff')}-${hash}.ttf`)
    if (!existsSync(fontfile)) await writeWhole(fontfile, openTypeOf(woff))
    // A font is known to all later texts once one text has named its file.
    await sharp({ text: { text: 'x', fontfile } })
      .png()
      .toBuffer()
  }
}

/** Atomic: another process may read it at the same time. */
async function writeWhole(file: string, content: Uint8Array) {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, content)
  await rename(draft, file)
}
