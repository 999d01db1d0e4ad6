import type { Rolldown } from 'vite'

const api = 'packages/api/src'

/** Folders whose modules load together, without their subfolders. */
export const chunkFolders: Record<string, string[]> = {
  // With what sends requests: every page needs both. What a first visit of home does not load is in `page`.
  ui: ['web/src/ui', 'web/src/api', 'web/src/app', 'web/src/texts', api, `${api}/auth`, `${api}/notification`],
  items: ['web/src/items', 'web/src/creators', `${api}/catalog`],
  // Small parts of several pages, none of them of home.
  page: [
    'web/src/layout/page',
    'web/src/creators/links',
    'web/src/creators/cover',
    'web/src/share',
    'web/src/items/visibility',
    'web/src/ui/pagination',
    'web/src/account/profile',
  ],
  forms: ['web/src/ui/forms'],
  trade: [
    'web/src/custody',
    'web/src/selling',
    'web/src/wallet',
    'web/src/orders',
    'web/src/gifts',
    `${api}/payments`,
    `${api}/minting`,
  ],
  // What a card of a work on auction loads.
  auctions: ['web/src/auctions'],
  consent: ['web/src/consent/banner'],
  favourites: ['web/src/items/favourites'],
  account: ['web/src/pages/account'],
  orders: ['web/src/pages/orders'],
  certificate: ['web/src/certificates', 'web/src/pages/certificate'],
  legal: ['web/src/pages/legal'],
}

/** The paths of the modules of a folder. */
export const modulesOf = (folder: string) =>
  new RegExp(`[\\\\/]${folder.replaceAll('/', '[\\\\/]')}[\\\\/][^\\\\/]+\\.(tsx?|css)$`)

/** The modules of these chunks' folders. */
const folders = (...chunks: string[]) =>
  new RegExp(chunks.flatMap((chunk) => chunkFolders[chunk]!.map((folder) => modulesOf(folder).source)).join('|'))

/** Modules of the catalog and of works that no card and no list needs. */
const ofOneWork = /(packages[\\/]api[\\/]src[\\/]catalog[\\/](auctions|offers)|web[\\/]src[\\/]items[\\/]use-item)\.ts$/

/** Folders whose styles load with their pages: hardly a visit begins there. */
const laterFolders = [
  'certificates',
  'pages/legal',
  'pages/orders',
  'pages/settings',
  'pages/studio',
  'pages/wallet',
  'print',
  'qr-code',
].map((folder) => folder.replaceAll('/', '[\\\\/]'))
const laterStyles = new RegExp(`[\\\\/]web[\\\\/]src[\\\\/](${laterFolders.join('|')})[\\\\/].*\\.css$`)

/** One style sheet for what visits begin with, and one for the other pages. */
const styleGroups: Rolldown.CodeSplittingGroup[] = [
  { name: 'later', test: laterStyles, priority: 4 },
  { name: 'style', test: /\.css$/, priority: 3 },
]

/** Fewer requests than one chunk for each set of pages that shares modules. */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  ...styleGroups,
  // Changes only with a library, so returning visitors keep it cached.
  {
    name: 'vendor',
    test: /node_modules[\\/].*(react|react-dom|react-router|scheduler|swr|use-sync-external-store|dequal)[\\/]/,
    priority: 2,
  },
  // Every card needs it, and nothing else of minting.
  { name: 'work-image', test: /packages[\\/]api[\\/]src[\\/]minting[\\/]work-image\.ts$/, priority: 1 },
  {
    test: folders('ui', 'page'),
    debugName: 'ui and page',
    name: (id, modules) => {
      if (folders('page').test(id)) return 'page'
      if (startsApp(id, modules)) return null
      return isOfHome(id, modules) ? 'ui' : 'page'
    },
  },
  {
    test: folders('items', 'trade'),
    debugName: 'items and trade',
    name: (id) => (folders('trade').test(id) || ofOneWork.test(id) ? 'trade' : 'items'),
  },
  ...Object.keys(chunkFolders)
    .filter((name) => !['ui', 'page', 'items', 'trade'].includes(name))
    .map((name) => ({ name, test: folders(name) })),
]

type Modules = Rolldown.ChunkingContext

/**
 * What starts the app, and what names the chunks of pages: it changes with each of them, and what imports it would too.
 */
function startsApp(id: string, modules: Modules) {
  const module = modules.getModuleInfo(id)
  const isOfDocument = module?.importers.some((importer) => modules.getModuleInfo(importer)?.isEntry)
  return module?.isEntry || isOfDocument || module?.dynamicImporters.length || module?.dynamicallyImportedIds.length
}

/** What a first visit of home loads, at once or below the first screen. */
const homeParts = ['app', 'pages/home', 'layout/footer', 'consent/banner', 'items/favourites'].map(
  (part) => new RegExp(`web[\\\\/]src[\\\\/]${part.replace('/', '[\\\\/]')}[.\\\\/]`),
)

/** Whether a part of home imports the module, directly or by others. */
function isOfHome(id: string, modules: Modules, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false
  seen.add(id)
  if (homeParts.some((part) => part.test(id))) return true
  return modules.getModuleInfo(id)?.importers.some((importer) => isOfHome(importer, modules, seen)) ?? false
}
