import type { Line } from './target.ts'

/** The JSON file of a run. */
export type Report = {
  /** ISO 8601, when the run began. */
  startedAt: string
  seconds: number
  command: string
  machine: { cores: number; model: string; node: string; memoryMb: number }
  /** Mean load of the last minute, before the first and after the last measurement. */
  load: { before: number; after: number }
  /** Parts that ended with an error. */
  failed: { part: string; error: string }[]
  lines: Line[]
}

export const exitCodes = { met: 0, missed: 1, failed: 2 }

/** 2 if a part failed, 1 if a target was missed, else 0. A target that was not measured is no failure. */
export function exitCodeOf({ failed, lines }: Pick<Report, 'failed' | 'lines'>): number {
  if (failed.length > 0) return exitCodes.failed
  return lines.some(({ outcome }) => outcome === 'missed') ? exitCodes.missed : exitCodes.met
}

const columns: { title: string; align: 'left' | 'right'; text: (line: Line) => string }[] = [
  { title: '#', align: 'right', text: ({ target }) => (target === null ? '' : String(target)) },
  { title: 'part', align: 'left', text: ({ part }) => part },
  { title: 'what', align: 'left', text: ({ name }) => name },
  { title: 'figure', align: 'right', text: ({ figure }) => grouped(figure) },
  { title: 'unit', align: 'left', text: ({ unit }) => unit },
  { title: 'baseline', align: 'right', text: ({ baseline }) => grouped(baseline) },
  { title: 'ratio', align: 'right', text: ({ ratio }) => grouped(ratio) },
  { title: 'target', align: 'left', text: ({ limit }) => limit ?? '' },
  {
    title: 'outcome',
    align: 'left',
    text: ({ outcome, note }) => {
      if (outcome === 'no target') return ''
      return note ? `${outcome}: ${note}` : outcome
    },
  },
]

const grouped = (value: number | null) =>
  value === null ? '' : value.toLocaleString('en', { maximumFractionDigits: 12 })

/** The targets by their number, then the figures without one, in columns. */
export function tableOf(lines: Line[]): string {
  const ordered = lines.toSorted((one, other) => (one.target ?? Infinity) - (other.target ?? Infinity) || 0)
  const rows = [columns.map(({ title }) => title), ...ordered.map((line) => columns.map(({ text }) => text(line)))]
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => [...row[index]!].length)))
  const pad = (text: string, width: number, align: 'left' | 'right') => {
    const space = ' '.repeat(width - [...text].length)
    return align === 'left' ? text + space : space + text
  }
  return rows
    .map((row) => row.map((text, index) => pad(text, widths[index]!, columns[index]!.align)).join('  '))
    .map((row) => row.trimEnd())
    .join('\n')
}

/** How many targets were met, missed and not measured. */
export function summaryOf(lines: Line[]): string {
  const count = (wanted: Line['outcome']) => lines.filter(({ outcome }) => outcome === wanted).length
  return `${count('met')} met, ${count('missed')} missed, ${count('not measured')} not measured`
}
