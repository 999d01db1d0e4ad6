import { useState } from 'react'
import { Button } from '../../ui/button.tsx'

type Props = {
  /** Of the page that is shown; undefined on the first one. */
  after: string | undefined
  /** Cursor of the next page; null on the last one. */
  next: string | null
  goOn: (cursor: string) => void
  goBack: () => void
}

/** The place in a list of pages with cursors. Another `key`, such as another search, is at its first page. */
export function usePages(key: string): Pick<Props, 'after' | 'goOn' | 'goBack'> {
  const [at, setAt] = useState<{ key: string; cursors: string[] }>({ key, cursors: [] })
  const cursors = at.key === key ? at.cursors : []
  return {
    after: cursors.at(-1),
    goOn: (cursor) => setAt({ key, cursors: [...cursors, cursor] }),
    goBack: () => setAt({ key, cursors: cursors.slice(0, -1) }),
  }
}

/** Buttons to the neighbouring pages of a list, the newest first; nothing for a list of one page. */
export const Pages = ({ after, next, goOn, goBack }: Props) =>
  (after || next) && (
    <div className="actions">
      <Button variant="secondary" disabled={!after} onClick={goBack}>
        Newer
      </Button>
      <Button variant="secondary" disabled={!next} onClick={() => next && goOn(next)}>
        Older
      </Button>
    </div>
  )
