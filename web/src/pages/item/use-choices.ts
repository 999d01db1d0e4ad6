import type { NftDetail } from '@nifty/api/catalog/public'
import { itemTitle } from '@nifty/api/pages'
import type { DeliverTo } from '@nifty/api/payments/public'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { itemUrl } from '../../api/paths.ts'
import { forgetReturn, readReturn, rememberReturn } from '../../api/return-to.ts'
import { isLive, useSession } from '../../api/session.ts'

/**
 * The accepted terms and the recipient of a purchase. They are kept with the work while there is no session, so that
 * they are still there after a sign-up or a log-in; `keep` does the same before the page of the card processor.
 */
export function useChoices(item: NftDetail, termsVersion: string | undefined) {
  const { _id, name, image, display_image_url, width, height, color } = item
  const { token } = useSession()
  const { search } = useLocation()
  const [before] = useState(() => {
    const to = readReturn()
    return to?.work?._id === item._id ? to.choices : undefined
  })
  const [ticked, setTicked] = useState<{ accepted: boolean; terms: string | undefined }>()
  const [deliverTo, setDeliverTo] = useState<DeliverTo>(before?.deliverTo ?? 'wallet')
  // Other terms than the accepted ones are accepted anew.
  const isTicked = ticked !== undefined && (ticked.terms === undefined || ticked.terms === termsVersion)
  const accepted = isTicked ? ticked.accepted : before?.terms !== undefined && before.terms === termsVersion

  const keep = (chosen: DeliverTo = deliverTo) =>
    rememberReturn({
      path: itemUrl(item) + search,
      title: itemTitle(item),
      work: { _id, name, image, display_image_url, width, height, color },
      choices: { terms: accepted ? termsVersion : undefined, deliverTo: chosen },
    })
  const onChange = useEffectEvent(() => {
    if (!isLive(token, Date.now())) keep()
    else if (readReturn()?.work?._id === item._id) forgetReturn()
  })
  useEffect(() => onChange(), [token, item._id, accepted, deliverTo, termsVersion])

  const accept = (accepted: boolean) => setTicked({ accepted, terms: termsVersion })

  return { accepted, accept, deliverTo, setDeliverTo, keep }
}
