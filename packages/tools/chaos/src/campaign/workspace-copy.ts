import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../../../..')

/** Copies the workspace, also what is not committed. Packages come from this workspace's `node_modules`. */
export async function copyWorkspace(to: string) {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard']
  const listed = await promisify(execFile)('git', list, { cwd: root, maxBuffer: 2 ** 24 })
  const files = listed.stdout.split('\n').filter((file) => file && existsSync(join(root, file)))
  for (const file of files) {
    await mkdir(dirname(join(to, file)), { recursive: true })
    await cp(join(root, file), join(to, file))
  }
  // Each package's links lead to the other packages of the copy, and to pnpm's one store.
  for (const file of files.filter((file) => file.endsWith('/package.json'))) {
    const modules = join(dirname(file), 'node_modules')
    if (existsSync(join(root, modules)))
      await cp(join(root, modules), join(to, modules), { recursive: true, verbatimSymlinks: true })
  }
  await symlink(join(root, 'node_modules'), join(to, 'node_modules'))
}
