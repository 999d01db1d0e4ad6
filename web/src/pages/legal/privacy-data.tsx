import { paths } from '../../api/paths.ts'
import { Link } from '../../ui/link.tsx'
import type { Section } from './legal-text.tsx'

/** The first half of the privacy policy: the data, its use and its recipients. */
export const privacyData: Section[] = [
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
]
