import { pages } from '@nifty/api/pages'
import { PageHead } from '../../layout/page/page-head.tsx'
import { LegalText } from './legal-text.tsx'
import { privacyText } from './privacy-text.tsx'

export function PrivacyPage() {
  return (
    <>
      <PageHead title={pages.privacy.title} crumb="Privacy">
        <p className="legal__updated">
          Last updated <time dateTime="2025-02-13">13 February 2025</time>
        </p>
      </PageHead>
      <LegalText sections={privacyText} />
    </>
  )
}
