import { pbkdf2 } from 'node:crypto'
import { notAnImage } from '../images/image-format.ts'
import { serveImageJobs } from '../images/image-jobs.ts'

const jobs = {
  echo: async (bytes: Buffer) => bytes,
  pid: async () => process.pid,
  variables: async () => Object.keys(process.env),
  refuse: async () => Promise.reject(notAnImage()),
  fail: async () => Promise.reject(new TypeError('a bug')),
  /** As the kernel does when memory is short. */
  crash: async () => process.kill(process.pid, 'SIGKILL'),
  /** Keeps a thread busy for minutes, as a decoder that hangs. */
  hang: () => new Promise<void>((resolve) => pbkdf2('', '', 2 ** 27, 64, 'sha512', () => resolve())),
}
export type TestImageJobs = typeof jobs

serveImageJobs(jobs)
