import { runServiceProcess } from '@nifty/service-kit/service-process'
import { auth } from './service.ts'

await runServiceProcess(auth)
