import { execFile } from 'node:child_process'

import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serviceNames } from '@nifty/api/services'
import { copyWorkspace } from '../../campaign/workspace-copy.ts'
import { changed, changes, migrationOf } from './changes.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../../../..')

const MIGRATION = '900-next-version.sql'

/**
 * A second copy of the workspace, as a release would be, with one more migration in every service and changed events.
 */
export async function copyNextVersion(to: string) {
  await copyWorkspace(to)
  await symlink(join(root, 'web/dist'), join(to, 'web/dist'))
  for (const service of serviceNames)
    await writeFile(join(to, 'services', service, 'migrations', MIGRATION), migrationOf(service))
  for (const change of changes) {
    const text = await readFile(join(to, change.file), 'utf8')
    await writeFile(join(to, change.file), changed(text, change))
  }

  return {
    root: to,
    /** Brings every database up to date as a release's hook does: by the new version's `main.ts migrate`. */
    migrate: async (postgresUrl: string, storeId: string) => {
      for (const service of serviceNames)
        await run(process.execPath, [join(to, 'services', service, 'src/main.ts'), 'migrate'], {
          env: { ...process.env, POSTGRES_URL: postgresUrl, STORE_ID: storeId, LOG_LEVEL: 'warn' },
        })
    },
  }
}
