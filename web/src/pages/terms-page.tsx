import { PageHead } from '../frame/page-head.tsx'
import { PageTitle } from '../frame/page-title.tsx'
import { LegalText } from '../legal/legal-text.tsx'
import { risksAndLaw } from '../legal/terms-law.tsx'
import { usingTheStore } from '../legal/terms-using.tsx'
import { useConfig } from '../use-config.ts'

export function TermsPage() {
  const { termsVersion } = useConfig()
  return (
    <>
      <PageTitle>Terms & Conditions</PageTitle>
      <PageHead title="Terms & Conditions" crumb="Terms">
        <p className="legal__updated">
          In one sentence: your card is held, the work is delivered, and only then are you charged.
          {termsVersion && ` Version ${termsVersion}.`}
        </p>
      </PageHead>
      <LegalText sections={[...usingTheStore, ...risksAndLaw]} />
    </>
  )
}
