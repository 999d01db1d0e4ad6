import { serveImageJobs } from '@nifty/service-kit/images/image-jobs'
import { encodeAvatar, encodeCover } from './pictures/picture.encode.ts'

const jobs = { encodeAvatar, encodeCover }
export type AuthImageJobs = typeof jobs

serveImageJobs(jobs)
