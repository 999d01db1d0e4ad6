import { listAllExhibitions, removeExhibition, setExhibition } from '@nifty/api/catalog/ops'
import { type Command, uuid } from './command.ts'
import { plural, table } from './format.ts'
import { UsageError } from './store.ts'

export const exhibitionCommands: Record<string, Command> = {
  'exhibition list': {
    usage: '',
    about: 'prints all exhibitions, and the series of artists',
    run: async (store) => {
      const { exhibitions } = await store.catalog(listAllExhibitions)
      if (exhibitions.length === 0) return 'There is no exhibition.'
      return table([
        ['address', 'title', 'opens on', 'works', 'series of'],
        ...exhibitions.map(({ slug, title, opensOn, works, artist }) => [slug, title, opensOn, works, artist ?? '']),
      ])
    },
  },
  'exhibition set': {
    usage: '<address> <opening day> <title> <text> <works>',
    about:
      'makes an exhibition at /exhibitions/<address>, or replaces it; its works, separated by commas, are shown in this order from the day on (2026-12-05, UTC)',
    changes: 'audited',
    run: async (store, args, action) => {
      const [slug, opensOn, title, description, ids] = args as [string, string, string, string, string]
      const itemIds = ids.split(',').map((id) => id.trim())
      const wrong = itemIds.find((id) => !uuid.test(id))
      if (wrong !== undefined) throw new UsageError(`${wrong} is not the id of a work`)
      await store.catalog(setExhibition, {
        params: { slug },
        body: { title, description, opensOn, itemIds, ...action },
      })
      return `/exhibitions/${slug} has ${plural(itemIds.length, 'work')} and opens on ${opensOn}.`
    },
  },
  'exhibition remove': {
    usage: '<address>',
    about: 'removes an exhibition, or the series of an artist; the works stay',
    changes: 'audited',
    run: async (store, args, action) => {
      await store.catalog(removeExhibition, { params: { slug: args[0]! }, body: action })
      return `/exhibitions/${args[0]} is removed.`
    },
  },
}
