import { runServiceProcess } from '@nifty/service-kit/service-process'
import { payments } from './service.ts'

await runServiceProcess(payments)
