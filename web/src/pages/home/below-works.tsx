import { paths } from '../../api/paths.ts'
import { Accordion } from '../../ui/accordion/accordion.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { BestCreators } from './best-creators.tsx'
import { Exhibitions } from './exhibitions.tsx'
import { questions } from './questions.ts'

/**
 * What home has below its works: the best creators, exhibitions, questions, and the way to the store. `hasWorks`: a
 * section further up has some.
 */
export function BelowWorks({ hasWorks }: { hasWorks: boolean }) {
  return (
    <>
      <BestCreators hasWorks={hasWorks} />
      <Exhibitions />

      <section className="home-section home-questions wrap" aria-labelledby="questions">
        <h2 id="questions">Q&amp;A</h2>
        <Accordion entries={questions} />
      </section>

      <section className="home-contact wrap" aria-labelledby="get-in-touch">
        <h2 id="get-in-touch">
          <span className="home-contact__line">Have Question ?</span>{' '}
          <span className="home-contact__line">Get in touch!</span>
        </h2>
        <LinkButton to={paths.contact} variant="secondary">
          Contact us <Icon name="arrow" />
        </LinkButton>
      </section>
    </>
  )
}
