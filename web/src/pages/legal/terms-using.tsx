import { paths } from '../../api/paths.ts'
import { Link } from '../../ui/link.tsx'
import { WithCompany } from '../../ui/with-company.tsx'
import type { Section } from './legal-text.tsx'

/** The first half of the terms: accounts, purchases, intellectual property and prohibited conduct. */
export const termsOfUse: Section[] = [
  {
    id: 'introduction',
    title: 'Introduction',
    body: (
      <>
        <p>
          These terms are the agreement between you and{' '}
          <WithCompany>{({ name, number }) => `${name}, company number ${number}`}</WithCompany>, which runs this store
          (“Nifty”, “we”, “us”). The store connects artists with collectors of NFT digital art. By using it, by opening
          an account or by buying a work you accept these terms. If you do not accept them, please do not use the store.
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
          free of charge.
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
]
