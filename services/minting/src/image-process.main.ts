import { serveImageJobs } from '@nifty/service-kit/images/image-jobs'
import { encodeVariant, makeMaster } from './images/image.encode.ts'

const jobs = { encodeVariant, makeMaster }
export type MintingImageJobs = typeof jobs

serveImageJobs(jobs)
