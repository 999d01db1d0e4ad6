import './notice-bell.css'
import './popover.css'
import { useEffect, useEffectEvent, useState } from 'react'
import { itemUrl, paths } from '../api/paths.ts'
import { noticeText } from '../notices/notice-text.ts'
import { useNotices } from '../notices/use-notices.ts'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { Time } from '../ui/time.tsx'
import { useDisclosure } from './use-disclosure.ts'

/**
 * The bell in the header and its list. What it shows is marked as read on the server; new notices stay marked here
 * until it closes.
 */
export function NoticeBell() {
  const { open, setOpen, container, toggle } = useDisclosure()
  const { notices, unread, loading, failed, markRead } = useNotices()
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())

  const showUnread = useEffectEvent(() => {
    const shown = notices.filter(({ read }) => !read).map(({ _id }) => _id)
    setFresh((before) => new Set([...before, ...shown]))
    void markRead()
  })
  // Also for notices that arrive while the list is open: at first, when it was opened before they were loaded.
  useEffect(() => {
    if (open && unread > 0) showUnread()
  }, [open, unread])

  const onToggle = () => {
    setFresh(new Set())
    setOpen(!open)
  }

  return (
    <div className="notice-bell" ref={container}>
      <button
        ref={toggle}
        type="button"
        className="icon-button"
        aria-label={unread > 0 ? `Notices, ${unread} unread` : 'Notices'}
        title="Notices"
        aria-expanded={open}
        aria-controls="notices"
        onClick={onToggle}
      >
        <Icon name="bell" />
        {unread > 0 && (
          <span className="notice-bell__count tabular" aria-hidden="true">
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </button>
      {open && (
        <section className="popover notice-bell__panel" id="notices" aria-labelledby="notices-title">
          <h2 id="notices-title" className="notice-bell__title">
            Notices
          </h2>
          {notices.length === 0 && (
            <p className="notice-bell__empty" role="status">
              {loading && 'Loading notices'}
              {failed && 'Your notices could not be loaded.'}
              {!loading && !failed && (
                <>
                  Nothing new yet. You hear here of <Link to={paths.favourites}>your favourites</Link>, artists you
                  follow, and your sales, offers and bids.
                </>
              )}
            </p>
          )}
          <ul>
            {notices.map((notice) => (
              <li key={notice._id}>
                <Link
                  to={itemUrl({ ...notice, ownerUsername: null })}
                  className="notice-bell__notice"
                  onClick={() => setOpen(false)}
                >
                  <span>{noticeText(notice)}</span>
                  <span className="notice-bell__time">
                    {fresh.has(notice._id) && 'New · '}
                    <Time at={notice.at} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
