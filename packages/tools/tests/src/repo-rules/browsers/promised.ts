import data from '@mdn/browser-compat-data' with { type: 'json' }

/** The oldest versions that the store is promised to work in: Vite's default target. */
export const promised = { chrome: '111', edge: '111', firefox: '114', safari: '16.4', safari_ios: '16.4' }
type Browser = keyof typeof promised

type Statement = {
  version_added?: string | boolean | null
  version_removed?: string | boolean | null
  partial_implementation?: boolean
  prefix?: string
  alternative_name?: string
  flags?: unknown[]
}
type Support = { support?: Partial<Record<Browser, Statement | Statement[]>> }

/** A feature of MDN's browser-compat-data with those below it. */
export type Feature = { readonly __compat?: Support } & { readonly [name: string]: Feature | undefined }

export const { api, css, html, javascript } = data as unknown as Record<'api' | 'css' | 'html' | 'javascript', Feature>

/** The feature at a path such as `['URL', 'parse_static']`; undefined when the data has none. */
export const featureAt = (from: Feature | undefined, path: string[]): Feature | undefined =>
  path.reduce<Feature | undefined>(
    (found, name) => (found && Object.hasOwn(found, name) ? found[name] : undefined),
    from,
  )

/** The promised browsers that lack a feature, as `firefox 114 (since 126)`. */
export function lackingIn({ __compat }: Feature): string[] {
  const support = __compat?.support ?? {}
  return Object.entries(promised).flatMap(([browser, version]) => {
    const statements = [support[browser as Browser] ?? []].flat()
    if (statements.some((statement) => covers(statement, version))) return []
    const since = statements.map(({ version_added }) => version_added).find((added) => typeof added === 'string')
    return [`${browser} ${version} (${since ? `since ${since}` : 'never'})`]
  })
}

function covers({ version_added, version_removed, ...limits }: Statement, version: string) {
  if (limits.prefix || limits.alternative_name || limits.flags || limits.partial_implementation) return false
  if (typeof version_added !== 'string' || !isAtMost(version_added, version)) return false
  return typeof version_removed !== 'string' || !isAtMost(version_removed, version)
}

/** Whether a version such as `16.4` or `≤37` is not above another; `preview` is above all. */
function isAtMost(version: string, limit: string) {
  const [major = Number.NaN, minor = 0] = version.replace('≤', '').split('.').map(Number)
  const [limitMajor = 0, limitMinor = 0] = limit.split('.').map(Number)
  return major < limitMajor || (major === limitMajor && minor <= limitMinor)
}

/** Global objects and their members that a promised browser lacks: `['URL', 'parse_static']`, `['CloseWatcher']`. */
export function newerMembers(): [owner: string, member?: string][] {
  const members: [owner: string, member?: string][] = []
  for (const [owner, feature] of [...below(api), ...below(javascript.builtins)]) {
    if (isNewer(feature)) members.push([owner])
    for (const [name, each] of below(feature)) if (isNewer(each)) members.push([owner, name])
  }
  return members
}

const below = (feature: Feature | undefined) =>
  Object.entries(feature ?? {}).filter(([name]) => name !== '__compat') as [string, Feature][]

/** A feature that came after a promised version; not one that is partial there, or in no version. */
const isNewer = ({ __compat }: Feature) =>
  Object.entries(promised).some(([browser, version]) => {
    const statements = [__compat?.support?.[browser as Browser] ?? []].flat()
    const added = statements.map(({ version_added }) => version_added).filter((each) => typeof each === 'string')
    return added.length > 0 && added.every((each) => !isAtMost(each, version))
  })
