import { pages } from '@nifty/api/pages'
import { useConfig } from '../../api/use-config.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { LegalText } from './legal-text.tsx'
import { termsText } from './terms-text.tsx'

export function TermsPage() {
  const { termsVersion } = useConfig()
  return (
    <>
      <PageHead title={pages.terms.title} crumb="Terms">
        <p className="legal__updated">
          In one sentence: your card is held, the work is delivered, and only then are you charged.
          {termsVersion && ` Version ${termsVersion}.`}
        </p>
      </PageHead>
      <LegalText sections={termsText} />
    </>
  )
}
