import { pages } from '@nifty/api/pages'
import { LegalPage } from './legal-page.tsx'

export const TermsPage = () => <LegalPage name="terms" title={pages.terms.title} />
