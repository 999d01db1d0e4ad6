import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fetched } from '@nifty/dev-servers/fetched'

export const KUBERNETES = '1.37.2'

const ETCD = `package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
`

/**
 * Paths of `kube-apiserver` and of the etcd that it is made for, built from Go modules and kept for all clones. The
 * first time it takes ten minutes of one core. Throws without Go.
 */
export async function apiServerBinaries(): Promise<{ apiServer: string; etcd: string }> {
  const folder = await fetched(`kube-apiserver-${KUBERNETES}`, build)
  return { apiServer: join(folder, 'kube-apiserver'), etcd: join(folder, 'etcd') }
}

async function build(folder: string) {
  const module = join(folder, 'module')
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod -buildvcs=false' }
  const go = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('go', args, { cwd: module, env, maxBuffer: 16 * 1024 * 1024 })
    return stdout
  }
  await mkdir(join(module, 'etcd'), { recursive: true })
  await writeFile(join(module, 'etcd/main.go'), ETCD)
  await go('mod', 'init', 'nifty.example/api-server')
  const { GoMod } = JSON.parse(await go('mod', 'download', '-json', `k8s.io/kubernetes@v${KUBERNETES}`))
  // Kubernetes' own modules stand in its repository; the proxy has each under a version of its own.
  const replaced = [...(await readFile(GoMod, 'utf8')).matchAll(/^\s(\S+) => \.\/staging\//gm)]
  const version = KUBERNETES.replace(/^1/, 'v0')
  await go(
    'mod',
    'edit',
    `-require=k8s.io/kubernetes@v${KUBERNETES}`,
    ...replaced.map(([, name]) => `-replace=${name}=${name}@${version}`),
  )
  await go('build', '-ldflags=-s -w', `-o=${folder}/`, 'k8s.io/kubernetes/cmd/kube-apiserver', './etcd')
}
