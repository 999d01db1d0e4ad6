import { join } from 'node:path'
import { createImageProcess } from '../images/image-process.ts'
import type { TestImageJobs } from './image-jobs.main.ts'
import { testLog } from './log.ts'

/** A process whose image process has started and decodes an image. */
const program = join(import.meta.dirname, 'image-jobs.main.ts')
const images = createImageProcess<TestImageJobs>({ program, log: testLog })
await images.run({}, 'pid')
void images.run({}, 'hang')
process.stdout.write('started')
