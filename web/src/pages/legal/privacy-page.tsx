import { pages } from '@nifty/api/pages'
import { LegalPage } from './legal-page.tsx'

export const PrivacyPage = () => <LegalPage name="privacy" title={pages.privacy.title} />
