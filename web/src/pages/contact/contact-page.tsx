import './contact-page.css'
import { company } from '../../company.ts'
import { PageHead } from '../../layout/page-head.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { ContactForm } from './contact-form.tsx'

export function ContactPage() {
  return (
    <>
      <PageTitle>Contact</PageTitle>
      <PageHead title="Contact" crumb="Contact" />
      <div className="contact-page wrap">
        <ContactForm />
        <aside className="contact-page__aside" aria-label="Other ways to reach us">
          <h2>Other ways to reach us</h2>
          <p>
            <a href={`mailto:${company.email}`}>{company.email}</a>
          </p>
          <address>
            {company.name}
            <br />
            {company.address.join(', ')}
          </address>
          <p>
            Is it about a purchase? Tell us its order number: it stands on your receipt and in our mails. Would you like
            to sell? Show us a few of your works.
          </p>
        </aside>
      </div>
    </>
  )
}
