import { resolve } from 'node:path'
import { createLog } from '@nifty/service-kit/base/logs'
import { progressLine } from '@nifty/service-kit/base/progress-line'
import type { Command } from './command.ts'
import { dataDirOf, UsageError } from './store.ts'

const KEPT_AT_LEAST = 3

const dataDir = () => resolve(dataDirOf(process.env))

/** For one-process stores only: in a cluster, PostgreSQL and volumes have backups of their own. */
export const backupCommands: Record<string, Command> = {
  backup: {
    usage: '<folder>',
    about: 'backs up a running one-process store; the backup contains its keys',
    options: {
      '--keep-days <days>': 'adds one to the backups in the folder, and removes those that are older',
      '--keep <number>': 'with --keep-days: keeps the newest ones, however old (default: 3)',
      '--copy-to <folder>': 'with --keep-days: a second place, with the same backups',
    },
    run: async (_store, [folder = ''], _action, _since, options = {}) => {
      const [days, atLeast] = [countOf('--keep-days', options.keepDays), countOf('--keep', options.keep)]
      const copyTo = options.copyTo === undefined ? undefined : resolve(String(options.copyTo))
      if (days === undefined && (atLeast !== undefined || copyTo !== undefined))
        throw new UsageError('--keep and --copy-to need --keep-days')
      const { addToSeries } = await loadLauncher(() => import('@nifty/local/backup/series'))
      const { backUp } = await loadLauncher(() => import('@nifty/local/backup/backup'))
      const [place, line] = [resolve(folder), progressLine()]
      const backup = () =>
        days === undefined
          ? backUp(dataDir(), place, line.show).then((made) => ({ ...made, folders: [place] }))
          : addToSeries(place, { dataDir: dataDir(), days, atLeast: atLeast ?? KEPT_AT_LEAST, copyTo }, line.show)
      const { manifest, hasPictures, folders } = await backup().finally(line.clear)
      return [
        `${Object.keys(manifest.files).length} files in ${folders.join(' and ')}. Store it as safely as keys.`,
        ...(hasPictures ? [] : ['Pictures are NOT in it: the bucket of UPLOADS_URL needs a backup of its own.']),
      ].join('\n')
    },
  },
  restore: {
    usage: '<folder> [overwrite]',
    about: 'restores a backup to NIFTY_HOME, whose store must be stopped',
    changes: 'unaudited',
    run: async (_store, [folder = '', word]) => {
      if (word !== undefined && word !== 'overwrite')
        throw new UsageError(`Unexpected argument ${word}: only \`overwrite\` is allowed.`)
      const { restore } = await loadLauncher(() => import('@nifty/local/backup/restore'))
      const existing = word === 'overwrite' ? 'move aside' : 'refuse'
      const { manifest, kept } = await restore(resolve(folder), dataDir(), { existing })
      return [
        `The store of ${manifest.madeAt} is restored to ${dataDir()}.`,
        ...(kept ? [`The previous one was moved to ${kept}.`] : []),
        'Start it, then run `pnpm ops status`, `pnpm ops resume-signer`, `pnpm ops reconcile all` and `pnpm ops restored`, which lists what could not come back.',
      ].join('\n')
    },
  },
  'upgrade-database': {
    usage: '',
    about: 'moves the databases of a stopped one-process store to the PostgreSQL of this version',
    changes: 'unaudited',
    run: async () => {
      const { upgradeDatabase } = await loadLauncher(() => import('@nifty/local/postgres-upgrade/upgrade'))
      const line = progressLine()
      const log = createLog({ name: 'ops', level: 'warn' })
      const upgraded = await upgradeDatabase(dataDir(), { log, onStep: line.show }).finally(line.clear)
      if (!upgraded) return 'The databases are of this version.'
      const { from, to, rows, kept } = upgraded
      return `${rows} rows of PostgreSQL ${from} are in PostgreSQL ${to}, and were compared. The former folder is ${kept}: remove it when the store works.`
    },
  },
}

function countOf(option: string, text: string | boolean | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`${option} ${text} is no number of 1 or more`)
  return count
}

/** The `ops` image does not contain the launcher. */
async function loadLauncher<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      'This tool backs up stores of `npx pnpm start` only. In a cluster, back up PostgreSQL and the volumes of uploads.',
    )
  }
}
