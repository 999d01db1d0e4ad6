import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../../../..')

/** Every file of the repository, also those not committed yet; nothing that git ignores. */
export const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)))

export const sources = files.filter((file) => /\.tsx?$/.test(file))

/** The folder of the package that a file belongs to. */
export const packageOf = (file: string) =>
  /^(services|packages\/tools|packages|deploy)\/[^/]+(?=\/)|^web\/site(?=\/)/.exec(file)?.[0] ??
  (file.includes('/') ? file.split('/')[0]! : '.')
