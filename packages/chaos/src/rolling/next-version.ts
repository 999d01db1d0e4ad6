import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ServiceName } from '@nifty/api/services'
import { copyWorkspace } from '../workspace-copy.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../..')

/** A table of each service that every request of the campaign reads or writes. */
const tables: Record<ServiceName, string> = {
  auth: 'account',
  catalog: 'item',
  payments: 'orders',
  minting: 'token',
  notification: 'mail',
}
const MIGRATION = '900-next-version.sql'

/** A migration that a release adds before its code uses it; the running version ignores it. */
const migrationOf = (table: string) => `
alter table ${table} add column next_version_note text not null default 'new';
create index ${table}_next_version on ${table} (next_version_note);
`

/** A second copy of the workspace, as a release would be, with one more migration in every service. */
export async function copyNextVersion(to: string) {
  await copyWorkspace(to)
  await symlink(join(root, 'web/dist'), join(to, 'web/dist'))
  for (const [service, table] of Object.entries(tables))
    await writeFile(join(to, 'services', service, 'migrations', MIGRATION), migrationOf(table))

  return {
    root: to,
    /** Brings every database up to date as a release's hook does: by the new version's `main.ts migrate`. */
    migrate: async (postgresUrl: string, storeId: string) => {
      for (const service of Object.keys(tables))
        await run(process.execPath, [join(to, 'services', service, 'src/main.ts'), 'migrate'], {
          env: { ...process.env, POSTGRES_URL: postgresUrl, STORE_ID: storeId, LOG_LEVEL: 'warn' },
        })
    },
  }
}
