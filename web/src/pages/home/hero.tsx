import { paths } from '../../api/paths.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type HeroItem, HeroItems } from './hero-items.tsx'

/** The first screen of home. */
export const Hero = ({ items, loading }: { items: HeroItem[]; loading: boolean }) => (
  <section className="hero wrap">
    <div className="hero__text">
      {/* Headings and texts of this page are spelled as in the specification. */}
      <h1 tabIndex={-1}>Explore Our collection of Rare NFT Artworks</h1>
      <p className="hero__lead">Pay with your bank card, in euros. You are only charged once the work has arrived.</p>
      <LinkButton to={paths.explore} className="hero__action">
        Explore now <Icon name="arrow" />
      </LinkButton>
    </div>
    <HeroItems items={items} loading={loading} />
  </section>
)
