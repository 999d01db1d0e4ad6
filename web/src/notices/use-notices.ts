import { listNotices, readNotices, readNoticesOfWork } from '@nifty/api/notification/notices'
import { useEffect, useEffectEvent } from 'react'
import { send } from '../api/api.ts'
import { useSession } from '../api/session.ts'
import { useEndpoint } from '../api/use-endpoint.ts'

/** Milliseconds between two requests while the page is visible. */
const refreshInterval = 60_000

/** The notices of the account, newest first; none without a session. A malformed response counts as empty. */
export function useNotices() {
  const { token } = useSession()
  const { data, error, mutate } = useEndpoint(listNotices, token ? {} : null, {
    refreshInterval,
    dedupingInterval: 10_000,
  })
  const notices = Array.isArray(data?.notices) ? data.notices : []

  /** Marks what is listed now as read, of all works or of one, here and on the server. A failure is repaired later. */
  async function markRead(work?: Work) {
    const upTo = notices[0]?.at
    if (!data?.unread || !upTo) return
    const outcome = work
      ? await send(readNoticesOfWork, { body: { upTo, ...work } })
      : await send(readNotices, { body: { upTo } })
    if (outcome.ok) await mutate()
  }

  return { notices, unread: data?.unread ?? 0, loading: !data && !error, failed: !data && Boolean(error), markRead }
}

type Work = { contract: string; identifier: string }

/** Marks the notices of a work as read, whose page shows what they are about. */
export function useReadNoticesOf({ contract, identifier }: Work) {
  const { notices, markRead } = useNotices()
  const newest = notices.find(
    (notice) => notice.contract === contract && notice.identifier === identifier && !notice.read,
  )
  const read = useEffectEvent(() => void markRead({ contract, identifier }))
  const at = newest?.at
  useEffect(() => {
    if (at !== undefined && document.visibilityState === 'visible') read()
  }, [at])
}
