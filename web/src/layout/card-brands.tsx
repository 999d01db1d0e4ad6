/** The accepted card brands. Files of our own, so that no third party is requested. */
export const CardBrands = () => (
  <ul className="card-brands" aria-label="Cards accepted">
    <li>
      <img src="/visa.svg" alt="Visa" width="48" height="30" loading="lazy" />
    </li>
    <li>
      <img src="/mastercard.svg" alt="Mastercard" width="48" height="30" loading="lazy" />
    </li>
  </ul>
)
