import { Link } from 'react-router-dom'
import { company } from '../../company.ts'
import { paths } from '../../paths.ts'
import type { Section } from './legal-text.tsx'

/** The second half of the privacy policy: what you may ask of us, and whom else you may ask. */
export const yourRights: Section[] = [
  {
    id: 'rights',
    title: 'Your Rights',
    body: (
      <>
        <p>Under the General Data Protection Regulation (GDPR) of the EU and of the UK you have these rights:</p>
        <ul>
          <li>
            <strong>Access</strong>: to learn what we know of you, and to get a copy.
          </li>
          <li>
            <strong>Rectification</strong>: to have what is wrong put right. Most of it you can change yourself in your
            settings.
          </li>
          <li>
            <strong>Erasure</strong>: to have your data deleted. “Delete account” in your settings does it at once.
          </li>
          <li>
            <strong>Restriction</strong>: to have us keep your data without using it, while a question about it is open.
          </li>
          <li>
            <strong>Portability</strong>: to get the data that you gave us in a form that others can read.
          </li>
          <li>
            <strong>Objection</strong>: to say no to what we do out of legitimate interest, and to any advertising.
          </li>
          <li>
            <strong>Withdrawal of consent</strong>: at any time, for what comes after.
          </li>
          <li>
            <strong>Complaint</strong>: to the authority named below.
          </li>
        </ul>
        <p>
          Write to <a href={`mailto:${company.email}`}>{company.email}</a> to use them. It costs nothing. We answer
          requests for access to your data within 30 days. To be sure that it is you, we may ask you to write from the
          address of your account.
        </p>
        <p>What stands on the blockchain is beyond our reach; we can remove only our own link between it and you.</p>
      </>
    ),
  },
  {
    id: 'third-party-links',
    title: 'Third-Party Links',
    body: (
      <p>
        Our pages link to others: wallet makers, explorers of the blockchain, the sites of creators. Once you follow
        such a link, the privacy policy over there applies. We do not answer for it, and suggest that you read it.
      </p>
    ),
  },
  {
    id: 'children',
    title: 'Children’s Privacy',
    body: (
      <p>
        Users under 18 need a parent or guardian who agrees to their using the store. The store is not aimed at children
        under 13, and we do not knowingly collect their data. If you learn that a child gave us theirs, please tell us,
        and we delete it.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    body: (
      <p>
        When we change this policy, the new version appears here with its date. If a change matters to you, we also tell
        you by mail or on our pages before it counts.
      </p>
    ),
  },
  {
    id: 'contact-us',
    title: 'Contact Us',
    body: (
      <p>
        Responsible for your data is {company.name}, {company.address.join(', ')}. Write to{' '}
        <a href={`mailto:${company.email}`}>{company.email}</a> or use our <Link to={paths.contact}>contact form</Link>.
      </p>
    ),
  },
  {
    id: 'authority',
    title: 'Contact the Appropriate Authority',
    body: (
      <p>
        If you think that we do not treat your data as the law demands, please tell us, so that we can mend it. You may
        also complain to the Information Commissioner’s Office (ICO), the authority of the United Kingdom for data
        protection:{' '}
        <a href="https://ico.org.uk/make-a-complaint/" target="_blank" rel="noopener noreferrer">
          ico.org.uk/make-a-complaint
        </a>
        . If you live elsewhere, your own country’s authority hears you as well.
      </p>
    ),
  },
]
