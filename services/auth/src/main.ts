import { runAlone } from '@nifty/service-kit/run-alone'
import { readConfig } from './config.ts'
import { startAuth } from './service.ts'

await runAlone('auth', (context) => startAuth(context, readConfig(process.env)))
