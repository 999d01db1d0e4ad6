import './contact-page.css'
import { pages } from '@nifty/api/pages'
import { company } from '../../company.ts'
import { PageHead } from '../../layout/page-head.tsx'
import { ContactForm } from './contact-form.tsx'

export function ContactPage() {
  return (
    <>
      <PageHead title={pages.contact.title} crumb="Contact" />
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
            Questions about a purchase? Please include the order number; it is on your receipt and in our emails. Would
            you like to sell? Send us a few of your works.
          </p>
        </aside>
      </div>
    </>
  )
}
