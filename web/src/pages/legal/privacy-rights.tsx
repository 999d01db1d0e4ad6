import { paths } from '../../api/paths.ts'
import { Link } from '../../ui/link.tsx'
import { CompanyEmail, WithCompany } from '../../ui/with-company.tsx'
import type { Section } from './legal-text.tsx'

/** The second half of the privacy policy: rights, children, changes and contacts. */
export const privacyRights: Section[] = [
  {
    id: 'rights',
    title: 'Your Rights',
    body: (
      <>
        <p>Under the General Data Protection Regulation (GDPR) of the EU and of the UK you have these rights:</p>
        <ul>
          <li>
            <strong>Access</strong>: to know which data we hold about you, and to get a copy.
          </li>
          <li>
            <strong>Rectification</strong>: to have wrong data corrected. Most of it you can change yourself in your
            settings.
          </li>
          <li>
            <strong>Erasure</strong>: to have your data deleted. “Delete account” in your settings does it at once.
          </li>
          <li>
            <strong>Restriction</strong>: to have us store your data without using it while a question about it is open.
          </li>
          <li>
            <strong>Portability</strong>: to get the data that you gave us in a common format.
          </li>
          <li>
            <strong>Objection</strong>: to object to what we do out of legitimate interest, and to any advertising.
          </li>
          <li>
            <strong>Withdrawal of consent</strong>: at any time, for what comes after.
          </li>
          <li>
            <strong>Complaint</strong>: to the authority named below.
          </li>
        </ul>
        <p>
          Write to <CompanyEmail /> to use them. It is free. We answer requests for access to your data within 30 days.
          To be sure that it is you, we may ask you to write from the address of your account.
        </p>
        <p>We cannot change data on the blockchain; we can only remove our own link between it and you.</p>
      </>
    ),
  },
  {
    id: 'third-party-links',
    title: 'Third-Party Links',
    body: (
      <p>
        Our pages link to others: wallet makers, explorers of the blockchain, the sites of creators. Once you follow
        such a link, the privacy policy of that site applies. We are not responsible for it and suggest that you read
        it.
      </p>
    ),
  },
  {
    id: 'children',
    // With the specification's apostrophe.
    title: "Children's Privacy",
    body: (
      <p>
        Users under 18 need a parent or guardian who agrees to their using the store. The store is not aimed at children
        under 13, and we do not knowingly collect their data. If you learn that a child gave us theirs, please contact
        us, and we delete it.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    body: (
      <p>
        When we change this policy, the new version appears here with its date. If a change matters to you, we also
        inform you by email or on our pages before it takes effect.
      </p>
    ),
  },
  {
    id: 'contact-us',
    title: 'Contact Us',
    body: (
      <p>
        Responsible for your data is{' '}
        <WithCompany>{({ name, address }) => `${name}, ${address.join(', ')}`}</WithCompany>. Write to <CompanyEmail />{' '}
        or use our <Link to={paths.contact}>contact form</Link>.
      </p>
    ),
  },
  {
    id: 'authority',
    title: 'Contact the Appropriate Authority',
    body: (
      <p>
        If you think that we do not treat your data as the law demands, please contact us, so that we can correct it.
        You may also complain to the Information Commissioner’s Office (ICO), the authority of the United Kingdom for
        data protection:{' '}
        <a href="https://ico.org.uk/make-a-complaint/" target="_blank" rel="noopener noreferrer">
          ico.org.uk/make-a-complaint
        </a>
        . If you live elsewhere, you may also complain to the authority of your own country.
      </p>
    ),
  },
]
