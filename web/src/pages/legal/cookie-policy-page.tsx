import { pages } from '@nifty/api/pages'
import { PageHead } from '../../layout/page/page-head.tsx'
import { ConsentState } from './consent-state.tsx'
import { cookieText } from './cookie-text.tsx'
import { LegalText } from './legal-text.tsx'

export function CookiePolicyPage() {
  return (
    <>
      <PageHead title={pages.cookiePolicy.title} crumb="Cookies" />
      <LegalText intro={<ConsentState />} sections={cookieText} />
    </>
  )
}
