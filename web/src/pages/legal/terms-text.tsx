import { paths } from '../../api/paths.ts'
import { storeName } from '../../api/store-name.ts'
import { Link } from '../../ui/link.tsx'
import { CompanyEmail, WithCompany } from '../../ui/with-company.tsx'
import type { Section } from './legal-text.tsx'

export const termsText: Section[] = [
  {
    id: 'introduction',
    title: 'Introduction',
    body: (
      <>
        <p>
          These terms are the agreement between you and{' '}
          <WithCompany>{({ name, number }) => `${name}, company number ${number}`}</WithCompany>, which runs this store
          (“{storeName}”, “we”, “us”). The store connects artists with collectors of NFT digital art. By using it, by
          opening an account or by buying a work you accept these terms. If you do not accept them, please do not use
          the store.
        </p>
        <p>
          An NFT is a token on a public blockchain that stands for one digital artwork. The blockchain that we use is
          Polygon, shown as “Polygone” on our pages. Prices are in euros, and you pay with a bank card. You need no
          cryptocurrency.
        </p>
        <p>
          If you are under 18, you may use the store only together with a parent or guardian who agrees to these terms.
          The store is not meant for children under 13.
        </p>
      </>
    ),
  },
  {
    id: 'user-accounts',
    title: 'User Accounts',
    body: (
      <>
        <p>
          You can browse without an account. To buy, you may need one, and a wallet that is linked to it unless we are
          to keep the work for you. The information in your account must be accurate and must stay so. We do not check
          your name against your identity; it is there for your convenience.
        </p>
        <p>
          Keep your password and your wallet to yourself: what is done with them counts as done by you. Contact us at
          once when you think that someone else uses your account.
        </p>
        <p>
          We may suspend or close an account that breaks these terms, harms others or is used for fraud. Works in your
          own wallet stay yours even then. Works that we keep in custody for you can be withdrawn to your wallet, unless
          the law forbids it.
        </p>
        <p>Putting works on sale is open to creators whom we have admitted. To be admitted, please contact us.</p>
      </>
    ),
  },
  {
    id: 'transactions',
    title: 'Transactions & Digital Artwork',
    body: (
      <>
        <h3>How a purchase goes</h3>
        <ol>
          <li>
            You press Buy Now, and the work is reserved for you while you pay. No one else can buy it in that time. A
            reservation that is not paid ends automatically.
          </li>
          <li>
            You pay on the page of our card processor. The price is <strong>held</strong> on your card. It is not
            charged.
          </li>
          <li>
            We transfer the NFT to the wallet that was linked to your account when you started the purchase or, if you
            chose so, into our custody for you, typically within minutes.
          </li>
          <li>Only when the transfer is final on the blockchain is your card charged.</li>
          <li>
            If the NFT cannot be delivered, the hold is released and nothing is charged. When the amount is available
            again depends on your bank.
          </li>
        </ol>
        <p>
          You may cancel for as long as the delivery has not been signed: your order page shows whether it is still
          possible.
        </p>
        <h3>When an order is accepted</h3>
        <p>
          Your order is accepted once the confirmation page shows. Before that nothing binds you or us. The page then
          shows at every step what has happened to your order and to your money.
        </p>
        <h3>No refunds</h3>
        <p>
          All purchases are final. Once the NFT has been delivered there are no refunds, unless the law requires one.
          Your rights as a consumer under the law are not affected.
        </p>
        <h3>Prices, commission and royalties</h3>
        <p>
          The price that you pay is the price on the page of the work, in euros. From it the seller gets their share,
          the store a commission, and the creator a royalty when a work is sold again, as long as the creator has an
          account. Sellers see each of them in their statement.
        </p>
        <h3>Custody</h3>
        <p>
          A work that was minted in the store, or that you had us keep, may stay in our custody for its owner, on the
          blockchain and separate from our own property. Its owner can have it sent to their linked wallet at any time,
          free of charge; after a purchase by card once the waiting time is over that was stated before it, and not
          while the bank disputes the payment.
        </p>
      </>
    ),
  },
  {
    id: 'intellectual-property',
    title: 'Intellectual Property',
    body: (
      <>
        <p>
          When you buy an NFT, you own the token. You may show the work, keep it and sell the token on. The copyright in
          the artwork stays with the artist. You may not use the work commercially (printing it on goods, advertising
          with it, licensing it to others) without the permission of the copyright holder.
        </p>
        <p>
          Creators promise that what they mint is their own work, or that they have the right to mint and sell it. The
          store itself, its name, texts, design and software, belongs to us or to those who license it to us.
        </p>
        <p>
          We may remove materials that infringe the rights of others or the law, or that an entitled person requests us
          to remove. Removing them from our pages does not remove a token from the blockchain. We cooperate with law
          enforcement. If you believe that your rights are infringed, please <Link to={paths.contact}>contact us</Link>{' '}
          and name the work.
        </p>
      </>
    ),
  },
  {
    id: 'prohibited-conduct',
    title: 'Prohibited Conduct',
    body: (
      <>
        <p>You may not use the store:</p>
        <ul>
          <li>for anything illegal, such as fraud, money laundering or trade in what is not yours;</li>
          <li>to spread viruses or any other harmful software;</li>
          <li>to send spam, or to harass, threaten or deceive anyone;</li>
          <li>
            to get around its security: other people’s accounts, our limits, our checks and the systems behind them.
          </li>
        </ul>
      </>
    ),
  },
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
