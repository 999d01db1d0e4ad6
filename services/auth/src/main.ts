import { runServiceProcess } from '@nifty/service-kit/service/service-process'
import { auth } from './service.ts'

await runServiceProcess(auth)
