import type { HomeText } from '@nifty/api/content'
import { paths } from '../../api/paths.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type HeroItem, HeroItems } from './hero-items.tsx'

type Props = { text: HomeText; items: HeroItem[]; loading: boolean }

/** The first screen of home. */
export const Hero = ({ text, items, loading }: Props) => (
  <section className="hero wrap" lang={text.lang}>
    <div className="hero__text">
      <h1 tabIndex={-1}>{text.title}</h1>
      {/* Without `RichText`, which the first visit does not load. */}
      <p className="hero__lead" dangerouslySetInnerHTML={{ __html: text.lead }} />
      <LinkButton to={paths.explore} className="hero__action">
        {text.action} <Icon name="arrow" />
      </LinkButton>
    </div>
    <HeroItems items={items} loading={loading} />
  </section>
)
