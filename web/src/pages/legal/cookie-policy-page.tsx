import { pages } from '@nifty/api/pages'
import { ConsentState } from './consent-state.tsx'
import { LegalPage } from './legal-page.tsx'

export const CookiePolicyPage = () => (
  <LegalPage name="cookies" title={pages.cookiePolicy.title}>
    <ConsentState />
  </LegalPage>
)
