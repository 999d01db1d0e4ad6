import './footer.css'
import { useEffect, useRef } from 'react'
import { paths } from '../api/paths.ts'
import { storeName } from '../api/store-name.ts'
import { useCompany, useConfig } from '../api/use-config.ts'
import { NewsletterForm } from '../newsletter/newsletter-form.tsx'
import { Link } from '../ui/link.tsx'
import { CompanyEmail, WithCompany } from '../ui/with-company.tsx'
import { BackToTop } from './back-to-top.tsx'
import { CardBrands } from './card-brands.tsx'
import { Wordmark } from './wordmark.tsx'

const legal = [
  { to: paths.terms, label: 'Terms & Conditions' },
  { to: paths.privacy, label: 'Cookie & Privacy policy' },
  { to: paths.cookiePolicy, label: 'Cookie Declaration' },
  { to: paths.contact, label: 'Contact' },
]

const columns = [
  {
    title: storeName.toUpperCase(),
    links: [
      { to: paths.explore, label: 'Explore Item' },
      { to: paths.wallet, label: 'Wallet' },
      { to: paths.creators, label: 'Creators' },
    ],
  },
  {
    // Spelled so in the specification.
    title: 'Usefull Links',
    links: legal,
  },
]

/** With the button back to the top. `short`: without the newsletter. */
export function Footer({ short }: { short: boolean }) {
  const end = useEndMark()
  return (
    <>
      <footer className={short ? 'footer footer--short' : 'footer'}>
        <div className="wrap">
          {!short && <NewsletterForm />}
          <FooterColumns />
          <div className="footer__end" ref={end}>
            <p>
              © {new Date().getFullYear()} <WithCompany>{({ name }) => name}</WithCompany>
            </p>
            <CardBrands />
          </div>
        </div>
      </footer>
      <BackToTop />
    </>
  )
}

/** Height in pixels of the strip below the footer's last line, in which the cookie button has room for its words. */
const STRIP = 72

/** Marks the document (`data-end`) while the last line of the page stands above the strip. */
function useEndMark() {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { documentElement } = document
    const observer = new IntersectionObserver(
      ([entry]) => documentElement.toggleAttribute('data-end', entry?.isIntersecting),
      { rootMargin: `0px 0px -${STRIP}px` },
    )
    observer.observe(line.current!)
    return () => {
      observer.disconnect()
      documentElement.removeAttribute('data-end')
    }
  }, [])
  return line
}

function FooterColumns() {
  const { name, number, register, address } = useCompany()
  return (
    <div className="footer__columns">
      <div className="footer__about">
        <Wordmark />
        {/* A gateway of an older release has none in its settings. */}
        <p>{useConfig().store?.tagline}</p>
      </div>
      {columns.map(({ title, links }) => (
        <nav key={title} aria-label={title}>
          <h2 className="footer__title">{title}</h2>
          <FooterLinks links={links} />
        </nav>
      ))}
      <section>
        <h2 className="footer__title">Contact Details</h2>
        <ul>
          <li>
            <CompanyEmail className="footer__link" />
          </li>
          {address.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
      <section>
        <h2 className="footer__title">Company Details</h2>
        <ul>
          <li>{name}</li>
          <li>Company No. {number}</li>
          <li>{register}</li>
        </ul>
      </section>
    </div>
  )
}

const FooterLinks = ({ links, className }: { links: (typeof columns)[number]['links']; className?: string }) => (
  <ul className={className}>
    {links.map(({ to, label }) => (
      <li key={to}>
        <Link to={to} className="footer__link">
          {label}
        </Link>
      </li>
    ))}
  </ul>
)
