import { runServiceProcess } from '@nifty/service-kit/service/service-process'
import { catalog } from './service.ts'

await runServiceProcess(catalog)
