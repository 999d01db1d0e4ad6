import { join } from 'node:path'
import { migrateAlone } from '@nifty/service-kit/migrate-alone'

await migrateAlone('minting', join(import.meta.dirname, '../migrations'))
