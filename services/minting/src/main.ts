import { runAlone } from '@nifty/service-kit/run-alone'
import { readConfig } from './config.ts'
import { startMinting } from './service.ts'

await runAlone('minting', (parts) => startMinting(parts, readConfig(process.env)))
