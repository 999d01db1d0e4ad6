import { runServiceProcess } from '@nifty/service-kit/service/service-process'
import { payments } from './service.ts'

await runServiceProcess(payments)
