import { join } from 'node:path'
import { neededWithLiveKey } from '@nifty/service-kit/base/live-key'
import { root } from '../repo-rules/tree.ts'
import { wrapped } from './values-comments.ts'
import { defaultOf, entriesIn } from './variables.ts'

export const settingsFile = join(root, 'deploy/shop.env.example')

/** In this order; the first schema that has a variable describes it. */
const sections = {
  'The process and its servers': ['deploy/local/src/settings.ts'],
  'Gateway and pages': ['gateway/src/config.ts'],
  Accounts: ['services/auth/src/config.ts'],
  'Works and the chain': ['services/minting/src/config.ts', 'services/catalog/src/config.ts'],
  'Sales and the card processor': ['services/payments/src/config.ts'],
  Mails: ['services/notification/src/config.ts'],
  "The operator's checks": ['deploy/ops/src/doctor/settings.ts'],
  'Kafka and traces': [
    'packages/service-kit/src/messaging/kafka/settings.ts',
    'packages/service-kit/src/base/open-traces.ts',
  ],
}

/** Read by none of the schemas of a service or of the launcher. */
const further: Setting[] = [
  {
    name: 'INTERNAL_SECRET',
    description:
      'At least 32 characters: the keys between the services are derived from it. Unset: made at the first start.',
    value: '',
  },
  {
    name: 'OPERATORS',
    description:
      "Operators beside the data directory's own: names, roles and public keys, `ada:support+money=MCowBQ…`, separated by commas. `ada=…` has all roles.",
    value: '',
  },
]

export type Setting = { name: string; description: string; value: string }

/** The settings of a store in one process, with the comments and the defaults of their schemas. */
export function settingsOfShop(): Record<string, Setting[]> {
  const seen = new Set<string>()
  const defaults = new Map(
    entriesIn(Object.values(sections).flat())
      .reverse()
      .flatMap(({ name, entry }) => (defaultOf(entry) ? [[name, defaultOf(entry)!] as const] : [])),
  )
  const found = Object.entries(sections).map(([title, files]) => {
    const settings = entriesIn(files).flatMap(({ name, entry }) => {
      if (seen.has(name)) return []
      seen.add(name)
      return [{ name, description: commentOf(entry), value: defaults.get(name) ?? '' }]
    })
    return [title, title.startsWith('The process') ? [...settings, ...further] : settings]
  })
  return Object.fromEntries(found)
}

const commentOf = (entry: string) =>
  (/\/\*\*([\s\S]*?)\*\//.exec(entry)?.[1] ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join(' ')
    .trim()

/** The text of `deploy/shop.env.example`. */
export function settingsText(): string {
  const head =
    'Settings of a store in one process, written by `pnpm docs:values` from the schemas that read them. Copy the lines that you set to `.env` in the root of the repository; `npx pnpm start` and `pnpm ops` read it. A value after `=` is the default.'
  const lines = Object.entries(settingsOfShop()).flatMap(([title, settings]) => [
    '',
    `# --- ${title}`,
    ...settings.flatMap(({ name, description, value }) => [
      '',
      ...wrapped(`${description}${neededWithLiveKey.includes(name) ? ' Needed with a live key.' : ''}`, '# '),
      `#${name}=${value}`,
    ]),
  ])
  return `${[...wrapped(head, '# '), ...lines].join('\n')}\n`
}
