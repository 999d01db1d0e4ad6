import { runServiceProcess } from '@nifty/service-kit/service/service-process'
import { minting } from './service.ts'

await runServiceProcess(minting)
