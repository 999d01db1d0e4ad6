import './studio-page.css'
import type { CurrentUser } from '@nifty/api/auth/account'
import { pages } from '@nifty/api/pages'
import { useState } from 'react'
import { useCurrentUser } from '../../account/use-current-user.ts'
import { paths, settingsUrl } from '../../api/paths.ts'
import { useInvalidateMarket } from '../../items/use-market.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { useMints } from '../../minting/use-mints.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { HiddenItems } from './hidden-items.tsx'
import { LinksForm } from './links-form.tsx'
import { MintForm } from './mint-form.tsx'
import { Sales } from './sales.tsx'
import { StudioItems } from './studio-items.tsx'
import { StudioMints } from './studio-mints.tsx'
import { StudioOffers } from './studio-offers.tsx'
import { StudioSeries } from './studio-series.tsx'

export function StudioPage() {
  const { user, loading, reload } = useCurrentUser()
  return (
    <>
      <PageHead title={pages.studio.title} crumb="Studio" />
      {loading && <Spinner />}
      {!loading && !user && (
        <div className="wrap">
          <Empty title="The studio could not be opened.">
            <Button variant="secondary" onClick={() => void reload()}>
              Try again
            </Button>
          </Empty>
        </div>
      )}
      {user && !user.admin && (
        <div className="wrap">
          <Empty title="To gain access to selling your NFTs, please contact us.">
            <LinkButton to={paths.contact}>Contact Us</LinkButton>
            <Link to={paths.sell}>Apply to sell your work</Link>
          </Empty>
        </div>
      )}
      {user?.admin && <Studio user={user} />}
    </>
  )
}

function Studio({ user }: { user: CurrentUser }) {
  const { reload } = useMints()
  const invalidateMarket = useInvalidateMarket()
  const [submitted, setSubmitted] = useState<string[]>([])

  return (
    <div className="studio wrap">
      <section aria-labelledby="mint">
        <h2 id="mint">Mint a work</h2>
        <MintForm
          wallet={user.walletProven ? user.metamaskAddress : null}
          onMinted={(mint) => {
            setSubmitted((before) => [mint._id, ...before])
            toast.success(`"${mint.name}" was submitted. You can follow its progress here.`)
            void reload()
            document.getElementById('under-way')?.scrollIntoView()
          }}
        />
      </section>
      <StudioMints username={user.username} submitted={submitted} />
      <StudioItems user={user} onChanged={() => void invalidateMarket()} />
      <StudioOffers onChanged={() => void invalidateMarket()} />
      <HiddenItems />
      <StudioSeries user={user} />
      <section aria-labelledby="sales">
        <h2 id="sales">Sales and statement</h2>
        <Sales />
      </section>
      <section aria-labelledby="links">
        <h2 id="links">Links on your page</h2>
        <p className="studio__note">
          The cover image of your page is in your <Link to={settingsUrl(user._id)}>settings</Link>.
        </p>
        <LinksForm userId={user._id} />
      </section>
    </div>
  )
}
