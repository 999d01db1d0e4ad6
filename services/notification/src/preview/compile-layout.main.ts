/** Writes layout.html: `npx pnpm mails:compile`. */
import { writeFile } from 'node:fs/promises'
import { compiledLayout, compileLayout } from './compile-layout.ts'

await writeFile(compiledLayout, await compileLayout())
