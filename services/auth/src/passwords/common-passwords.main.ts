import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from './common-passwords.ts'
import { MIN_PASSWORD_LENGTH } from './password.ts'

const COUNT = 10_000
const [list] = process.argv.slice(2)
if (!list) throw new Error('usage: pnpm passwords:record <file with one password per line, the most common first>')

/** Shorter passwords are refused anyway, so only those that are long enough count. */
const passwords = new Set<string>()
for (const line of readFileSync(list, 'utf8').split(/\r?\n/)) {
  if ([...line].length >= MIN_PASSWORD_LENGTH) passwords.add(line.toLowerCase())
  if (passwords.size === COUNT) break
}
if (passwords.size < COUNT) throw new Error(`${list} has only ${passwords.size} passwords that are long enough`)

const hashes = [...passwords].map(hashOf).sort().join('')
const file = join(import.meta.dirname, 'common-passwords.json')
writeFileSync(file, `${JSON.stringify({ hashes })}\n`)
process.stdout.write(`${file}: ${COUNT} passwords\n`)
