import { listAllExhibitions, removeExhibition, setExhibition } from '@nifty/api/catalog/ops'
import { plural } from '@nifty/api/plural'
import type { Command } from './command.ts'
import { table } from './format.ts'
import { itemIdOf } from './lookup.ts'

export const exhibitionCommands: Record<string, Command> = {
  'exhibition list': {
    usage: '',
    about: 'prints all exhibitions, and the series of artists',
    json: true,
    run: async (store) => {
      const { exhibitions } = await store.catalog(listAllExhibitions)
      if (exhibitions.length === 0) return { text: 'There is no exhibition.', ok: true, json: exhibitions }
      const text = table([
        ['address', 'title', 'opens on', 'works', 'series of'],
        ...exhibitions.map(({ slug, title, opensOn, works, artist }) => [slug, title, opensOn, works, artist ?? '']),
      ])
      return { text, ok: true, json: exhibitions }
    },
  },
  'exhibition set': {
    usage: '<address> <opening day> <title> <text> <works>',
    about:
      'makes an exhibition at /exhibitions/<address>, or replaces it; its works, separated by commas, are shown in this order from the day on (2026-12-05, UTC)',
    changes: 'audited',
    run: async (store, args, action) => {
      const [slug, opensOn, title, description, works] = args as [string, string, string, string, string]
      const itemIds: string[] = []
      for (const work of works.split(',')) itemIds.push(await itemIdOf(store, work.trim()))
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
