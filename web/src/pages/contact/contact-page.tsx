import './contact-page.css'
import { contactSubject } from '@nifty/api/contact-about'
import { pages } from '@nifty/api/pages'
import { useSearchParams } from 'react-router-dom'
import { paths } from '../../api/paths.ts'
import { useCompany } from '../../api/use-config.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { Link } from '../../ui/link.tsx'
import { CompanyEmail } from '../../ui/with-company.tsx'
import { ContactForm } from './contact-form.tsx'

export function ContactPage() {
  const { name, address } = useCompany()
  const [params] = useSearchParams()
  return (
    <>
      <PageHead title={pages.contact.title} crumb="Contact" />
      <div className="contact-page wrap">
        <ContactForm subject={contactSubject(params.get('about'))} />
        <aside className="contact-page__aside" aria-label="Other ways to reach us">
          <h2>Other ways to reach us</h2>
          <p>
            <CompanyEmail />
          </p>
          <address>
            {name}
            <br />
            {address.join(', ')}
          </address>
          <p>
            Questions about a purchase? Please include the order number; it is on your order, on your receipt and in our
            emails. Would you like to sell? <Link to={paths.sell}>Apply here</Link>: every application gets an answer.
          </p>
        </aside>
      </div>
    </>
  )
}
