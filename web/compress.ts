import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const texts = /\.(js|css|svg)$/

/** Writes `.br` and `.gz` beside every text file, so that the gateway does not compress per request. */
export function compress(): Plugin {
  let out = 'dist'
  return {
    name: 'nifty:compress',
    apply: 'build',
    configResolved({ root, build }) {
      out = resolve(root, build.outDir)
    },
    // Not `closeBundle`: that is called after a failed build as well, and its error would hide the first one.
    async writeBundle() {
      const files = await readdir(out, { recursive: true })
      await Promise.all(files.filter((file) => texts.test(file)).map((file) => compressFile(join(out, file))))
    },
  }
}

async function compressFile(path: string) {
  const content = await readFile(path)
  await Promise.all([
    promisify(brotliCompress)(content).then((packed) => writeFile(`${path}.br`, packed)),
    promisify(gzip)(content, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
  ])
}
