import { useNavigate } from 'react-router-dom'
import { Icon } from '../../ui/icon.tsx'

/** The text that is searched: in the state of the history, because an address must contain no name. */
export type SearchState = { search: string }

export function SearchField() {
  const navigate = useNavigate()
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
          className="field__input"
          type="search"
          name="search"
          autoComplete="off"
          aria-label="Search orders, accounts, works and gifts"
          placeholder="Order, e-mail, @name, work, payment"
        />
      </form>
    </search>
  )
}
