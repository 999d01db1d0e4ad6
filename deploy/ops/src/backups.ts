import { resolve } from 'node:path'
import type { Command } from './command.ts'
import { homeOf } from './store.ts'

/** Only for the store of `npx pnpm start`: a cluster's parts have backups of their own, and its image has none of this. */
const home = () => resolve(homeOf(process.env))

export const backupCommands: Record<string, Command> = {
  backup: {
    usage: '<folder>',
    about: 'copies the store of `npx pnpm start` while it runs; whoever reads the copy has its keys',
    run: async (_store, [folder = '']) => {
      const { backUp } = await oneProcess(() => import('@nifty/local/backup/backup'))
      const { files } = await backUp(home(), resolve(folder))
      return `${Object.keys(files).length} files in ${resolve(folder)}. Keep it where you keep keys.`
    },
  },
  restore: {
    usage: '<folder> [overwrite]',
    about: 'makes such a copy the store on NIFTY_HOME, which must be stopped',
    changes: 'unsigned',
    run: async (_store, [folder = '', word]) => {
      if (word !== undefined && word !== 'overwrite')
        throw new Error(`What is ${word}? Only \`overwrite\` may be said.`)
      const { restore } = await oneProcess(() => import('@nifty/local/backup/restore'))
      const existing = word === 'overwrite' ? 'move aside' : 'refuse'
      const { manifest, kept } = await restore(resolve(folder), home(), { existing })
      return [
        `The store of ${manifest.madeAt} is on ${home()}.`,
        ...(kept ? [`The one that was there is in ${kept}.`] : []),
        'Start it, then `pnpm ops status` and `pnpm ops reconcile`: they name what the world did since.',
      ].join('\n')
    },
  },
}

async function oneProcess<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      'Only a store of `npx pnpm start` is copied by this tool. Back up PostgreSQL and the pictures themselves.',
    )
  }
}
