import { runServiceProcess } from '@nifty/service-kit/service/service-process'
import { notification } from './service.ts'

await runServiceProcess(notification)
