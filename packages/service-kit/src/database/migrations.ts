import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Migration } from './database.ts'

const own = join(import.meta.dirname, '../../migrations')

const inFolder = (folder: string, prefix: string): Migration[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ name: `${prefix}${file}`, file: join(folder, file) }))

/** Migrations of the tables that every service has, then the service's own. */
export const migrationsOf = (folder: string) => [...inFolder(own, 'kit/'), ...inFolder(folder, '')]
