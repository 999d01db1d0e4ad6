import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { Icon } from '../../ui/icon.tsx'

/** The text that is searched: in the state of the history, because an address must contain no name. */
export type SearchState = { search: string }

/** Control and K, on a Mac Command and K, puts the focus into it; not behind a dialog. */
export function SearchField() {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      input.current?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <search className="search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const search = String(new FormData(event.currentTarget).get('search')).trim()
          const state: SearchState = { search }
          if (search) void navigate('/search', { state })
        }}
      >
        <Icon name="search" size={18} />
        <input
          ref={input}
          onFocus={({ currentTarget }) => currentTarget.select()}
          className="field__input"
          type="search"
          name="search"
          autoComplete="off"
          aria-keyshortcuts="Control+K Meta+K"
          aria-label="Search orders, accounts, works and gifts"
          placeholder="Order, e-mail, @name, work, payment"
        />
        <span className="search__key" aria-hidden="true">
          Ctrl K
        </span>
      </form>
    </search>
  )
}
