import { join } from 'node:path'
import { migrateAlone } from '@nifty/service-kit/migrate-alone'

await migrateAlone('notification', join(import.meta.dirname, '../migrations'))
