import { runServiceProcess } from '@nifty/service-kit/service-process'
import { catalog } from './service.ts'

await runServiceProcess(catalog)
