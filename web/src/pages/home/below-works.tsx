import { paths } from '../../api/paths.ts'
import { homeText } from '../../texts/texts.ts'
import { useText } from '../../texts/use-text.ts'
import { Accordion } from '../../ui/accordion/accordion.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { BestCreators } from './best-creators.tsx'
import { EndingAuctions } from './ending-auctions.tsx'
import { Exhibitions } from './exhibitions.tsx'

/**
 * What home has below its works: auctions, the best creators, exhibitions, questions, and the way to the store.
 * `hasWorks`: a section further up has some.
 */
export function BelowWorks({ hasWorks }: { hasWorks: boolean }) {
  const text = homeText()
  const { data: questions } = useText('questions')
  return (
    <>
      <EndingAuctions />
      <BestCreators hasWorks={hasWorks} />
      <Exhibitions />

      {questions && (
        <section className="home-section home-questions wrap" aria-labelledby="questions" lang={questions.lang}>
          <h2 id="questions">{questions.title}</h2>
          <Accordion entries={questions.entries} />
        </section>
      )}

      <section className="home-contact wrap" aria-labelledby="get-in-touch" lang={text.lang}>
        <h2 id="get-in-touch">{text.contact}</h2>
        <LinkButton to={paths.contact} variant="secondary">
          {text.contactAction} <Icon name="arrow" />
        </LinkButton>
      </section>
    </>
  )
}
