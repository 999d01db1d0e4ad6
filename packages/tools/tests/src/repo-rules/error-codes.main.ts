/** `pnpm docs:errors`: writes services/ERRORS.md. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodesPage } from './error-codes.ts'
import { root } from './tree.ts'

writeFileSync(join(root, 'services/ERRORS.md'), errorCodesPage())
