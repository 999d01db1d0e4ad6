import { folderPairs } from './imports.ts'

const pairs = folderPairs()
for (const { folders, there, back } of pairs)
  process.stdout.write(
    `${folders.join(' <> ')}\n    ${there.from} imports ${there.to}\n    ${back.from} imports ${back.to}\n`,
  )
process.stdout.write(`${pairs.length} pairs of folders import each other\n`)
