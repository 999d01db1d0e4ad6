import './sell-page.css'
import { pages } from '@nifty/api/pages'
import { useCurrentUser } from '../../account/use-current-user.ts'
import { paths } from '../../api/paths.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'
import { Application } from './application.tsx'

const steps = [
  {
    title: 'You apply',
    text: 'Send us links to works of yours and a few sentences. A person reads them, and every application gets an answer by mail.',
  },
  {
    title: 'You mint and price',
    text: 'Upload a work and set its price in euros. The store pays for the mint, and you can change the price or end the sale at any time.',
  },
  {
    title: 'You are paid',
    text: 'The buyer’s card is charged once the work has arrived. Your share stands in your studio at once, with the day on which it is paid out.',
  },
]

export function SellPage() {
  const { user, loading } = useCurrentUser()
  return (
    <>
      <PageHead title={pages.sell.title} crumb="Sell" />
      <div className="sell-page wrap">
        <section aria-labelledby="how">
          <h2 id="how">How selling works here</h2>
          <ol className="sell-page__steps">
            {steps.map(({ title, text }) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ol>
          <p className="sell-page__note">
            Collectors apply here, too: a work that you bought can be sold on. What the store keeps of a price, and the
            royalty of the artist, are in the <Link to={paths.terms}>terms</Link>.
          </p>
        </section>
        <section aria-labelledby="apply">
          <h2 id="apply">Your application</h2>
          {loading && <Spinner />}
          {!loading && !user && <LoggedOut />}
          {user?.admin && (
            <Empty title="You can sell your works already.">
              <LinkButton to={paths.studio}>Open your studio</LinkButton>
            </Empty>
          )}
          {user && !user.admin && <Application user={user} />}
        </section>
      </div>
    </>
  )
}

const LoggedOut = () => (
  <Empty title="Please log in to apply.">
    <div className="sell-page__buttons">
      <LinkButton to={paths.login}>Login</LinkButton>
      <LinkButton to={paths.signup} variant="secondary">
        Sign up
      </LinkButton>
    </div>
  </Empty>
)
