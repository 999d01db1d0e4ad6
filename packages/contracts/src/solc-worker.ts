import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

// Runs in a worker thread, whose end frees the compiler's memory (about 200 MB).

const require = createRequire(import.meta.url)
const openZeppelin = dirname(require.resolve('@openzeppelin/contracts/package.json'))

function readImport(path: string) {
  const file = path.startsWith('@openzeppelin/contracts/')
    ? join(openZeppelin, path.slice('@openzeppelin/contracts/'.length))
    : join(workerData.folder, path)
  return existsSync(file) ? { contents: readFileSync(file, 'utf8') } : { error: `No such file: ${path}` }
}

const solc = require('solc')
parentPort?.postMessage(solc.compile(JSON.stringify(workerData.input), { import: readImport }))
