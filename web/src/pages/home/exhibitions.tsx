import { paths } from '../../api/paths.ts'
import { ExhibitionCard } from '../../exhibitions/exhibition-card.tsx'
import { useExhibitions } from '../../exhibitions/use-exhibitions.ts'
import { homeText } from '../../texts/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'

/** Exhibitions on the home page. */
const shown = 2

/** The newest exhibitions; nothing while there is none. */
export function Exhibitions() {
  const { exhibitions = [] } = useExhibitions({ limit: shown })
  const text = homeText()
  if (exhibitions.length === 0) return null
  return (
    <section className="home-section wrap" aria-labelledby="exhibitions">
      <div className="section-head">
        <h2 id="exhibitions" lang={text.lang}>
          {text.exhibitions}
        </h2>
        <Link to={paths.exhibitions} className="section-head__more">
          See More<span className="visually-hidden"> exhibitions</span> <Icon name="arrow" size={18} />
        </Link>
      </div>
      <ul className="home-exhibitions">
        {exhibitions.map((exhibition) => (
          <li key={exhibition.slug}>
            <ExhibitionCard exhibition={exhibition} />
          </li>
        ))}
      </ul>
    </section>
  )
}
