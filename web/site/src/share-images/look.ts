import { createHash } from 'node:crypto'
import type { Branding } from '@nifty/service-kit/base/branding'
import { defaultColours } from '@nifty/service-kit/base/theme'

/** Colours of share images as #rrggbb, and what lies behind them in place of `background`: a PNG of their size. */
export type Look = { background: string; text: string; muted: string; picture: Buffer | undefined; version: string }

/** The look of a shop. `version` names it in the addresses of images; that of the default one is empty. */
export function lookOf({ theme, shareBackground: picture }: Pick<Branding, 'theme' | 'shareBackground'>): Look {
  const { background, text, 'text-muted': muted } = { ...defaultColours, ...theme }
  const colours = [theme.background, theme.text, theme['text-muted']].join()
  const hash = createHash('sha256')
    .update(colours)
    .update(picture ?? '')
  const version = picture || colours !== ',,' ? hash.digest('hex').slice(0, 20) : ''
  return { background, text, muted, picture, version }
}
