import './studio-page.css'
import type { CurrentUser } from '@nifty/api/auth'
import { useState } from 'react'
import { useCurrentUser } from '../account/use-current-user.ts'
import { PageHead } from '../frame/page-head.tsx'
import { PageTitle } from '../frame/page-title.tsx'
import { categoryOptions } from '../items/filters.ts'
import { useForgetMarket } from '../items/use-market.ts'
import { MintForm } from '../minting/mint-form.tsx'
import { useMints } from '../minting/use-mints.ts'
import { paths } from '../paths.ts'
import { StatementTable } from '../statement/statement-table.tsx'
import { useStatement } from '../statement/use-statement.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Empty, Spinner } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'
import { StudioMints } from './studio-mints.tsx'
import { StudioWorks } from './studio-works.tsx'

const categories = categoryOptions.map(({ value }) => value).filter(Boolean)

export function StudioPage() {
  const { user, settling, reload } = useCurrentUser()
  return (
    <>
      <PageTitle>Studio</PageTitle>
      <PageHead title="Studio" crumb="Studio" />
      {settling && <Spinner />}
      {!settling && !user && (
        <div className="wrap">
          <Empty title="The studio could not be opened.">
            <Button look="plain" onClick={() => void reload()}>
              Try again
            </Button>
          </Empty>
        </div>
      )}
      {user && !user.admin && (
        <div className="wrap">
          <Empty title="To gain access to selling your NFTs, please contact us.">
            <LinkButton to={paths.contact}>Contact Us</LinkButton>
          </Empty>
        </div>
      )}
      {user?.admin && <Studio user={user} />}
    </>
  )
}

function Studio({ user }: { user: CurrentUser }) {
  const { reload } = useMints()
  const forgetMarket = useForgetMarket()
  const [fresh, setFresh] = useState<string[]>([])

  return (
    <div className="studio wrap">
      <section aria-labelledby="mint">
        <h2 id="mint">Mint a work</h2>
        <MintForm
          categories={categories}
          wallet={user.walletProven ? user.metamaskAddress : null}
          onMinted={(mint) => {
            setFresh((before) => [mint._id, ...before])
            toast.success(`"${mint.name}" is handed in. You can follow it here.`)
            void reload()
            document.getElementById('under-way')?.scrollIntoView()
          }}
        />
      </section>
      <StudioMints username={user.username} fresh={fresh} />
      <StudioWorks user={user} onChanged={() => void forgetMarket()} />
      <section aria-labelledby="sales">
        <h2 id="sales">Sales and statement</h2>
        <Sales />
      </section>
    </div>
  )
}

function Sales() {
  const { statement, error, reload } = useStatement()
  if (!statement && error) {
    return (
      <Empty title="Your statement could not be loaded.">
        <Button look="plain" onClick={() => void reload()}>
          Try again
        </Button>
      </Empty>
    )
  }
  if (!statement) return <Spinner label="Loading your statement" />
  if (statement.entries.length === 0) {
    return (
      <Empty title="Nothing is sold yet">
        <p>Each sale appears here with its commission, its royalty and your share, once the work has been delivered.</p>
      </Empty>
    )
  }
  return <StatementTable statement={statement} />
}
