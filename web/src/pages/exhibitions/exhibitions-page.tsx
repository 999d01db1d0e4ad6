import './exhibitions-page.css'
import { pages } from '@nifty/api/pages'
import { paths } from '../../api/paths.ts'
import { ExhibitionCard } from '../../exhibitions/exhibition-card.tsx'
import { useExhibitions } from '../../exhibitions/use-exhibitions.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'

export function ExhibitionsPage() {
  const { exhibitions, error, reload } = useExhibitions()
  return (
    <>
      <PageHead title={pages.exhibitions.title} crumb="Exhibitions" />
      <div className="exhibitions-page wrap">
        {!exhibitions && !error && <Spinner label="Loading exhibitions" />}
        {!exhibitions && error && (
          <Empty title="The exhibitions could not be loaded.">
            <Button variant="secondary" onClick={() => void reload()}>
              Try again
            </Button>
          </Empty>
        )}
        {exhibitions?.length === 0 && (
          <Empty title="No exhibition is open.">
            <LinkButton variant="secondary" to={paths.explore}>
              Explore works
            </LinkButton>
          </Empty>
        )}
        <ul className="exhibitions-page__list">
          {exhibitions?.map((exhibition) => (
            <li key={exhibition.slug}>
              <ExhibitionCard exhibition={exhibition} />
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
