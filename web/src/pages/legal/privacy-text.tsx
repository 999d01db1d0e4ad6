import { paths } from '../../api/paths.ts'
import { Link } from '../../ui/link.tsx'
import { CompanyEmail, WithCompany } from '../../ui/with-company.tsx'
import type { Section } from './legal-text.tsx'

export const privacyText: Section[] = [
  {
    id: 'information',
    title: 'What Information We Collect',
    body: (
      <>
        <h3>Personal information</h3>
        <ul>
          <li>
            <strong>Your email address</strong>, when you open an account, subscribe to the newsletter or write to us.
          </li>
          <li>
            <strong>Your wallet details</strong>: the public address of the wallet that you link. We never see, request
            or store its keys or recovery phrase.
          </li>
          <li>
            <strong>Your purchase history</strong>: what you bought and sold, when, at which price, and what became of
            the delivery and the payment.
          </li>
          <li>
            <strong>Your profile</strong>: username, name, picture, cover, description and links. Name and surname are
            for your convenience. We do not check them against your identity, and you may leave them empty.
          </li>
          <li>
            <strong>What you write to us</strong> in the contact form or by mail.
          </li>
        </ul>
        <p>
          We do not receive your card number. You type it on the page of our card processor, which informs us only
          whether the amount is held, charged or released.
        </p>
        <h3>Non-personal information</h3>
        <p>
          Your browser and device, your IP address, and how the store is used. We need it to answer your requests, to
          keep the store safe and, with your consent, for statistics.
        </p>
      </>
    ),
  },
  {
    id: 'use',
    title: 'How We Use',
    body: (
      <>
        <ul>
          <li>to run your account, and to deliver what you buy to your wallet or to keep it for you;</li>
          <li>to hold, charge or release the amount on your card, and to keep the books that the law demands;</li>
          <li>to write to you about your orders, your account and, if you want it, our news;</li>
          <li>to answer you when you write to us;</li>
          <li>to prevent fraud and abuse, and to find and correct errors;</li>
          <li>with your consent, to see how the store is used.</li>
        </ul>
        <p>
          We do this to keep our contract with you, because the law obliges us, because of our legitimate interest in a
          safe store, or with your consent, which you may withdraw at any time.
        </p>
        <p>
          We keep your data while your account is active, and after that only as needed for legal purposes, such as the
          books of past sales, in which your name is no longer found once your account is deleted.
        </p>
      </>
    ),
  },
  {
    id: 'share',
    title: 'How We Share',
    body: (
      <>
        <p>We do not sell your data. We share it only:</p>
        <ul>
          <li>
            with the <strong>card processor</strong>, which needs the amount and the order to take your payment;
          </li>
          <li>
            with the <strong>public blockchain</strong>: a delivery contains your wallet address, or for a work in our
            custody the ID of your account, the work and the time. It is public and permanent: nobody can delete it,
            including us;
          </li>
          <li>with those who run servers and send mails for us, on our instructions and for nothing else;</li>
          <li>with a provider of statistics and a video host, if you consented to it;</li>
          <li>with authorities, where the law obliges us.</li>
        </ul>
        <p>
          Your username, name, picture, cover, description and links are public in the store, because profiles are
          public. Your email address is not.
        </p>
      </>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies',
    body: (
      <p>
        The store works with one necessary cookie, which remembers what you decided about the others. The storage of
        your browser also keeps your log-in, your favourites and the works that you viewed recently; we receive that
        list only to leave out works that the store shows no more. Statistics and marketing start only with your
        consent. What is used, for how long, and how to change your choice is in the{' '}
        <Link to={paths.cookiePolicy}>Cookie Declaration</Link>.
      </p>
    ),
  },
  {
    id: 'security',
    title: 'Data Security',
    body: (
      <p>
        All traffic between you and us is encrypted. Passwords are stored only as hashes from which they cannot be
        recovered. Each part of the store can reach only the data that it needs. Still, nothing on the internet is
        perfectly safe: if something happens to your data that puts you at risk, we inform you and the authority.
      </p>
    ),
  },
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
            <strong>Erasure</strong>: to have your data deleted. “Delete account” in your settings does it at once, or
            within three days where your account was changed lately.
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
