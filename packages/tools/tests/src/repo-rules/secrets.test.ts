import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@nifty/api/services'
import { serviceKeyVariables } from '@nifty/service-kit/http/service-keys'
import { expect, test } from 'vitest'
import { files, root } from './tree.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Variables of secrets by their names, in what runs in production. */
const NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|KEYS|SECRET|PASSWORD|TOKEN|KEY_ID|KEY_FILE|TOKEN_FILE)\b/g
/** Constants of the code, and variables of the card sandbox. */
const none = /^(CONCURRENT_KEYS|PUBLISHED_KEYS|SIGNING_KEYS|SECRET_KEY|WEBHOOK_SECRET)$/
const isSource = (file: string) =>
  /^(services|gateway|packages\/(service-kit|contracts|api)|deploy)\/.*\.(ts|tpl|yaml|example)$/.test(file) &&
  !/\.test\.ts$|\/testing\/|\/observability\//.test(file)

/** Keys of the chart's Secrets, such as URLs with a password. */
const ofChart = [...read('deploy/helm/templates/_secrets.tpl').matchAll(/^- ([A-Z][A-Z0-9_]+)$/gm)].map(
  ([, name]) => name!,
)

const inCode = new Set([
  ...files
    .filter(isSource)
    .flatMap((file) => read(file).match(NAME) ?? [])
    .filter((name) => !none.test(name)),
  ...ofChart,
  ...serviceNames.flatMap(serviceKeyVariables),
  'CHAIN_RPC_URL_2',
  'OPERATORS',
  'POSTGRES_POOLER_URL',
])

const rows = read('deploy/SECRETS.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))

test('the table of secrets has every secret of the code, once, and no other', () => {
  expect(inCode.size).toBeGreaterThan(30)
  const named = rows.flatMap(([secrets]) => secrets!.match(/[A-Z][A-Z0-9_]+/g) ?? [])
  expect([...named].sort()).toEqual([...inCode].sort())
})

test('each row says whether two values are possible, how, for how long, and what was tried', () => {
  expect(rows.filter((cells) => cells.length !== 5 || cells.some((cell) => !cell.trim()))).toEqual([])
})

test('what was tried by `rotation` is in that campaign', () => {
  const ofCampaign = ['kinds.ts', 'internal-secret.ts'].map((file) => read(`packages/tools/chaos/src/rotation/${file}`))
  const campaign = ofCampaign.join('\n')
  const missing = rows
    .filter(([, , , , tried]) => tried!.startsWith('rotation'))
    .map(([secrets]) => secrets!.match(/[A-Z][A-Z0-9_]+/g)!)
    // Those between services are named by their pairs.
    .filter((names) => !names[0]!.includes('_TO_') && !names.some((name) => campaign.includes(`'${name}'`)))
  expect(missing).toEqual([])
})
