import { runAlone } from '@nifty/service-kit/run-alone'
import { readConfig } from './config.ts'
import { startPayments } from './service.ts'

await runAlone('payments', (parts) => startPayments(parts, readConfig(process.env)))
