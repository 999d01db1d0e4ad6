import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, stat } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'

export type Result = {
  /** When the run began. */
  startedAt: Date
  command: string
  /** Cores, model, memory, version of Node. */
  machine: string
  seconds: number
  /** Lines of text, shown as they are. */
  lines: string[]
}

/** Appends a run to `<folder>/<date>.md`, named by the UTC date of its start. Returns the file. */
export async function writeResult(folder: string, { startedAt, command, machine, seconds, lines }: Result) {
  const [date = '', time = ''] = startedAt.toISOString().split('T')
  const file = join(folder, `${date}.md`)
  await mkdir(folder, { recursive: true })
  const isNew = !(await stat(file).catch(() => undefined))
  const load = loadavg()[0]!.toFixed(1)
  await appendFile(
    file,
    [
      ...(isNew ? [`# ${date}`] : []),
      '',
      `## ${time.slice(0, 5)} UTC: \`${command}\``,
      '',
      `Commit ${commit()}, ${machine}, ${seconds} s, load ${load} at the end.`,
      '',
      '```',
      ...lines,
      '```',
      '',
    ].join('\n'),
  )
  return file
}

function commit() {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    }).trim()
  } catch {
    return 'unknown'
  }
}
