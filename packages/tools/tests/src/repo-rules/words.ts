import { parseArgs } from 'node:util'
import { countPersonWords, personWordsIn, perThousand } from './person-words.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, all: { type: 'boolean' } },
})
const print = (text: string) => process.stdout.write(`${text}\n`)

const counts = countPersonWords({ all: values.all, folders: positionals })
if (values.list)
  for (const { file, line, words, text } of counts.flatMap(({ hits }) => hits))
    print(`${file}:${line}: [${words.join(', ')}] ${text}`)

const total = { folder: 'total', words: 0, hits: counts.flatMap(({ hits }) => hits) }
for (const count of counts) total.words += count.words
for (const count of [...counts, total])
  print(
    `${count.folder.padEnd(34)} ${String(personWordsIn(count)).padStart(5)} of ${String(count.words).padStart(6)}   ${perThousand(count).toFixed(1)} per 1,000`,
  )
