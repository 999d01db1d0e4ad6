import { readFileSync, renameSync } from 'node:fs'
import type { Failpoints } from './failpoint.ts'

/** Shifts `Date` of this process if the campaign wants so; timers keep the machine's pace. */
export function skewClock({ program, start, files, journal }: Failpoints) {
  const claimed = `${files.skew(program)}.${start}`
  try {
    renameSync(files.skew(program), claimed)
  } catch {
    return
  }
  const ms = Number(readFileSync(claimed, 'utf8'))
  const RealDate = Date
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [target.now() + ms] : args, newTarget),
    get: (target, name, receiver) => (name === 'now' ? () => target.now() + ms : Reflect.get(target, name, receiver)),
  })
  journal.write({ actor: 'failpoints', what: 'clock', program, start, ms })
}
