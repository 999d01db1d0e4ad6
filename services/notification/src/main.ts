import { runAlone } from '@nifty/service-kit/run-alone'
import { readConfig } from './config.ts'
import { startNotification } from './service.ts'

await runAlone('notification', (context) => startNotification(context, readConfig(process.env)))
