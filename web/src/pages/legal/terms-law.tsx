import { paths } from '../../api/paths.ts'
import { Link } from '../../ui/link.tsx'
import { CompanyEmail, WithCompany } from '../../ui/with-company.tsx'
import type { Section } from './legal-text.tsx'

/** The second half of the terms: risks, disputes, third parties, changes and governing law. */
export const termsLaw: Section[] = [
  {
    id: 'assumption-of-risk',
    title: 'Assumption of Risk',
    body: (
      <>
        <p>By buying, holding or selling an NFT you accept these risks:</p>
        <ul>
          <li>
            The value of NFTs is volatile. A work may lose all of it, and you may not find a buyer. Nothing on our pages
            is advice to invest.
          </li>
          <li>
            We are not responsible for lost passwords, or for lost keys or recovery phrases of a wallet. We cannot
            restore access to a wallet.
          </li>
          <li>
            We are not responsible for what the blockchain does or fails to do: delays, forks, faults, fees or changes
            of its rules. If such an issue keeps a work that you are buying from being delivered, you are not charged.
          </li>
          <li>You pay your own taxes on what you buy and sell.</li>
        </ul>
        <p>
          Nothing in these terms limits our liability where the law does not allow it to be limited, such as for fraud,
          or for death or injury caused by negligence.
        </p>
      </>
    ),
  },
  {
    id: 'dispute-resolution',
    title: 'Dispute Resolution',
    body: (
      <>
        <p>
          Please talk to us first: most matters are settled with one message. If that does not help, a dispute between
          you and us about these terms or the store is settled by arbitration.
        </p>
        <ol>
          <li>
            The party with a claim sends the other side a notice. It needs your name, telephone number and email
            address, and a description of the claim.
          </li>
          <li>The other side has 60 days to respond to the notice.</li>
          <li>If the matter is not settled by then, either side may start the arbitration.</li>
          <li>
            There is a sole arbitrator. The seat of the arbitration is London, and its language is English. The
            arbitrator’s decision is final.
          </li>
        </ol>
        <p>
          The arbitration, and any claim out of or in connection with these terms, is governed by the law of England and
          Wales. If you are a consumer, you keep any right that the law gives you to go to your own court.
        </p>
      </>
    ),
  },
  {
    id: 'third-party-services',
    title: 'Third-Party Services',
    body: (
      <p>
        The store works together with services that we do not run: the card processor that takes your payment, the maker
        of your wallet, the Polygon network, and, where you allow it, a provider of statistics and a video host. Their
        own terms apply to what you do with them. We link to other sites for your convenience and are responsible
        neither for their content nor for their errors.
      </p>
    ),
  },
  {
    id: 'modifications-and-termination',
    title: 'Modifications & Termination',
    body: (
      <>
        <p>
          We may change these terms. The version in force is always on this page, with its date. For a purchase the
          version counts that you accepted when you bought; it is noted on your receipt. If you go on using the store
          after a change, you accept the new version.
        </p>
        <p>
          We may change, suspend or end the store or a part of it. A purchase that has begun is carried out or released
          all the same. You may delete your account at any time in your settings; works in our custody should be
          withdrawn to your wallet first. What the law makes us keep of past sales stays in our books.
        </p>
      </>
    ),
  },
  {
    id: 'governing-law',
    title: 'Governing Law',
    body: (
      <p>
        These terms are governed by the law of the United Kingdom as it applies in England and Wales. If a part of them
        turns out to be invalid, the rest stays in force.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        <WithCompany>
          {({ name, address, register, number }) =>
            `${name}, ${address.join(', ')}. ${register}, company number ${number}.`
          }
        </WithCompany>{' '}
        Write to <CompanyEmail /> or use our <Link to={paths.contact}>contact form</Link>.
      </p>
    ),
  },
]
