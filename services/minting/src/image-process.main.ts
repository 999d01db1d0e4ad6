import { serveImageJobs } from '@nifty/service-kit/images/image-jobs'
import { encodeMaster, encodeVariant } from './images/image.encode.ts'

const jobs = { encodeMaster, encodeVariant }
export type MintingImageJobs = typeof jobs

serveImageJobs(jobs)
