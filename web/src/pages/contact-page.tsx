import './contact-page.css'
import { ContactForm } from '../contact/contact-form.tsx'
import { company } from '../frame/company.ts'
import { PageHead } from '../frame/page-head.tsx'
import { PageTitle } from '../frame/page-title.tsx'

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
