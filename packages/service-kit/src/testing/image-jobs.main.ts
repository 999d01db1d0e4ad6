import { pbkdf2 } from 'node:crypto'
import { writeFileSync, writeSync } from 'node:fs'
import { notAnImage } from '../images/image-format.ts'
import { serveImageJobs } from '../images/image-jobs.ts'

/** After standard input, output and errors. */
const CHANNEL_FD = 3

const jobs = {
  echo: async (bytes: Buffer) => bytes,
  pid: async () => process.pid,
  variables: async () => Object.keys(process.env),
  refuse: async () => Promise.reject(notAnImage()),
  fail: async () => Promise.reject(new TypeError('a bug')),
  /** As the kernel does when memory is short. */
  crash: async () => process.kill(process.pid, 'SIGKILL'),
  touch: async (file: string) => writeFileSync(file, ''),
  /** Writes the beginning of a message of 1,000 bytes to the parent's channel, then the file, and never responds. */
  respondHalf: (file: string) => {
    writeSync(CHANNEL_FD, Uint8Array.of(0, 0, 3, 232, 255, 15))
    writeFileSync(file, '')
    return new Promise<void>(() => {})
  },
  /** Keeps a thread busy for minutes, as a decoder that hangs. */
  hang: () => new Promise<void>((resolve) => pbkdf2('', '', 2 ** 27, 64, 'sha512', () => resolve())),
}
export type TestImageJobs = typeof jobs

serveImageJobs(jobs)
