import { listNotices, readNotices } from '@nifty/api/notification/notices'
import { send } from '../api/api.ts'
import { useEndpoint } from '../api/use-endpoint.ts'

/** Milliseconds between two requests while the page is visible. */
const refreshInterval = 60_000

/** The notices of the account, newest first. Needs a session. A malformed response counts as empty. */
export function useNotices() {
  const { data, error, mutate } = useEndpoint(listNotices, {}, { refreshInterval, dedupingInterval: 10_000 })
  const notices = Array.isArray(data?.notices) ? data.notices : []

  /** Marks what is listed now as read, here and on the server. A failure is repaired by the next time. */
  async function markRead() {
    const upTo = notices[0]?.at
    if (!data?.unread || !upTo) return
    const outcome = await send(readNotices, { body: { upTo } })
    if (outcome.ok) await mutate()
  }

  return { notices, unread: data?.unread ?? 0, loading: !data && !error, failed: !data && Boolean(error), markRead }
}
