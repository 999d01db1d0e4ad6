import { itemPath } from '@nifty/api/pages'
import type { MailedWork, Store } from './email-layout.ts'

/** Pictures in mails have this width in pixels: twice that of the layout. */
const PICTURE_WIDTH = 640

type EventWork = { name: string; token: string; image?: string | null }

/** `token`: contract and identifier. `image` is absent in events of a former release. */
export function mailedWork({ publicUrl }: Store, { name, token, image }: EventWork): MailedWork {
  const [contract, identifier] = token.split('/') as [string, string]
  return {
    name,
    url: publicUrl + itemPath({ ownerUsername: null, contract, identifier }),
    picture: image?.startsWith('/') ? `${publicUrl}${image}?w=${PICTURE_WIDTH}` : null,
  }
}
