import { serveImageJobs } from '@nifty/service-kit/images/image-jobs'
import { renderAvatar } from './avatars/avatar.image.ts'
import { encodeCover } from './covers/cover.image.ts'

const jobs = { renderAvatar, encodeCover }
export type AuthImageJobs = typeof jobs

serveImageJobs(jobs)
