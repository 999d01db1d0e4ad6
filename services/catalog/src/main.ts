import { runAlone } from '@nifty/service-kit/run-alone'
import { readConfig } from './config.ts'
import { startCatalog } from './service.ts'

await runAlone('catalog', (parts) => startCatalog(parts, readConfig(process.env)))
