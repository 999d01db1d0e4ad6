import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { progressLine } from '@nifty/service-kit/base/progress-line'
import { copyObjects } from '@nifty/service-kit/objects/copy-objects'
import { objectSettingsOf } from '@nifty/service-kit/objects/object-settings'
import { openObjects } from '@nifty/service-kit/objects/open-objects'
import type { Command } from './command.ts'
import { UsageError } from './store.ts'

export const uploadCommands: Record<string, Command> = {
  'uploads copy': {
    usage: '<folder>',
    about: 'copies pictures of a folder that the bucket of UPLOADS_URL lacks; can be killed and run again',
    changes: 'unaudited',
    json: true,
    options: { '--contents': 'also compares the bytes of those that are there' },
    run: async (_store, [argument = ''], _action, _since, { contents } = {}) => {
      const folder = resolve(argument)
      const found = await stat(folder).catch(() => undefined)
      if (!found?.isDirectory()) throw new UsageError(`${folder} is not a folder`)
      const { UPLOADS_URL } = process.env
      if (!UPLOADS_URL) throw new UsageError('UPLOADS_URL is not set')
      const { bucket } = settingsOf(UPLOADS_URL)
      const line = progressLine()
      const show = (_fields: object, sentence: string) => {
        line.clear()
        process.stderr.write(`${sentence}\n`)
      }
      const log = { warn: show, error: show }
      const [from, to] = [await openObjects({ folder }, '', log), await openObjects({ bucket }, '', log)]
      const result = await copyObjects(from, to, {
        contents: contents === true,
        onProgress: ({ found, copied }) => line.show(`${found} files, ${copied} copied`),
      }).finally(() => {
        line.clear()
        to.close()
      })
      const { found: files, copied, bytes, different } = result
      const text = [
        `${files} files in ${folder}: ${copied} copied (${(bytes / 1e6).toFixed(1)} MB), ${files - copied} were in the bucket.`,
        ...(different.length > 0 ? [`${different.length} have another content there:`, ...different.slice(0, 20)] : []),
      ].join('\n')
      return { text, ok: different.length === 0, json: result }
    },
  },
}

function settingsOf(url: string) {
  try {
    return objectSettingsOf({ UPLOADS_URL: url })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
