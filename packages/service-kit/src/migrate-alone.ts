import { Type } from 'typebox'
import { parseEnv } from './config.ts'
import { ensureDatabase, migrate, openDatabase } from './database.ts'
import { createLog } from './logs.ts'
import { migrationsOf } from './migrations.ts'
import { databaseUrl } from './run-alone.ts'

const Env = Type.Object({
  POSTGRES_URL: Type.String({ minLength: 1 }),
  LOG_LEVEL: Type.String({ default: 'info' }),
})

/**
 * Brings one service's database up to date and ends: the whole of its `migrate.ts`. A service does the same when it
 * starts; run before an update, a migration that fails leaves every process of the former version as it is.
 */
export async function migrateAlone(name: string, migrations: string) {
  const env = parseEnv(Env, process.env)
  const log = createLog({ name, level: env.LOG_LEVEL })
  const url = databaseUrl(env.POSTGRES_URL, name)
  await ensureDatabase(url)
  const db = openDatabase({ url, log, maxConnections: 1 })
  try {
    await migrate(db, migrationsOf(migrations))
    log.info('database is up to date')
  } finally {
    await db.destroy()
  }
}
