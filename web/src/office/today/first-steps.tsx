import { searchAccounts } from '@nifty/api/auth/account-search'
import { countSellers } from '@nifty/api/auth/ops'
import { searchItems } from '@nifty/api/catalog/item-search'
import { firstSteps } from '@nifty/api/first-steps'
import { Link } from '../../ui/link.tsx'
import { usePublicUrl } from '../store/public-url.ts'
import { useStore } from '../store/use-store.ts'
import { State } from '../table/state.tsx'

const pages = { account: '/accounts', seller: '/accounts', work: '/works' } as const

/** What the owner of a new store does first; nothing once the store has a work. */
export function FirstSteps() {
  const publicUrl = usePublicUrl() ?? ''
  const works = useStore('catalog', searchItems, { body: {} })
  const isNew = works.data?.items.length === 0
  const sellers = useStore('auth', countSellers, isNew ? {} : null)
  const accounts = useStore('auth', searchAccounts, isNew ? { body: {} } : null)
  if (!isNew || !sellers.data || !accounts.data) return null
  const done = {
    account: accounts.data.accounts.some(({ emailConfirmed }) => emailConfirmed),
    seller: sellers.data.sellers > 0,
    work: false,
  }
  return (
    <section className="section" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol className="first-steps">
        {firstSteps(publicUrl).map(({ step, text }) => (
          <li key={step}>
            {text} <State name={done[step] ? 'done' : 'to do'} kind={done[step] ? 'good' : undefined} />{' '}
            <Link to={pages[step]}>{step === 'work' ? 'Works' : 'Accounts'}</Link>
          </li>
        ))}
      </ol>
    </section>
  )
}
