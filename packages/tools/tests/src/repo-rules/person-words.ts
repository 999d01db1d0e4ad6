import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commentsOf } from './comments.ts'
import { files, packageOf, root } from './tree.ts'

/** Words that describe code as a person. Services publish, return, call and poll instead. */
const personWords = new RegExp(
  `\\b(${[
    ...['nobody', 'somebody', 'everybody'].map((word) => `${word}(?:'s)?`),
    'whoever',
    'whatever',
    'neither',
    'hear(?:s|d|ing)?',
    'tell(?:s|ing)?',
    'told',
    'say(?:s|ing)?',
    'said',
    'speak(?:s|ing)?',
    'spoken?',
    'ask(?:s|ed|ing)?',
    'answer(?:s|ed|ing)?',
    'hang(?:s|ing)?',
    'hung',
    'look(?:s|ed|ing)?',
    'wish(?:es|ed|ing)?',
    'know(?:s|n|ing)?',
    'knew',
    'believe[sd]?',
    'believing',
    'live[sd]?',
    'living',
    'die[sd]?',
    'dying',
  ].join('|')})\\b`,
  'gi',
)

export type Hit = { file: string; line: number; words: string[]; text: string }
export type Count = { folder: string; words: number; hits: Hit[] }

/** Person words in comments, by package: those of TypeScript, or of all programs of files. */
export function countPersonWords({ all = false, folders = [] as string[] } = {}): Count[] {
  const programs = all ? /\.(tsx?|sql|ya?ml|tpl|sol|css|md)$/ : /\.tsx?$/
  const counts = new Map<string, Count>()
  for (const file of files) {
    if (!programs.test(file)) continue
    if (folders.length > 0 && !folders.some((folder) => file.startsWith(folder))) continue
    const folder = packageOf(file)
    const count = counts.get(folder) ?? { folder, words: 0, hits: [] }
    counts.set(folder, count)
    for (const { line, text } of commentsOf(file, readFileSync(join(root, file), 'utf8'))) {
      count.words += text.match(/[A-Za-z']+/g)?.length ?? 0
      const words = text.match(personWords)
      if (words) count.hits.push({ file, line, words, text: text.trim() })
    }
  }
  return [...counts.values()]
}

export const personWordsIn = ({ hits }: Pick<Count, 'hits'>) => hits.reduce((sum, { words }) => sum + words.length, 0)

export const perThousand = (count: Count) => (count.words === 0 ? 0 : (personWordsIn(count) * 1_000) / count.words)
