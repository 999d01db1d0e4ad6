import { type Program, programs } from '@nifty/api/services'
import pretty from 'pino-pretty'

const width = Math.max(...programs.map(({ length }) => length))

/** A stream that writes the log lines of a process for people, with the name of its program in front of each. */
export const prettyOutput = (program: Program) =>
  pretty({
    ignore: 'pid,hostname,name',
    translateTime: 'SYS:HH:MM:ss.l',
    customPrettifiers: { time: (time) => `${program.padEnd(width)} ${String(time)}` },
    destination: 1,
    sync: true,
  })
