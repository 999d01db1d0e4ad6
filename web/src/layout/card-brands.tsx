/** The cards that are taken. Drawn here: no third party is asked for a logo. */
export const CardBrands = () => (
  <ul className="card-brands" aria-label="Cards accepted">
    <li>
      <svg viewBox="0 0 48 30" width="48" height="30" role="img" aria-label="Visa">
        <rect x=".5" y=".5" width="47" height="29" rx="4" className="card-brands__card" />
        <path
          fill="currentColor"
          d="M20.6 10.2 18.7 20h-2.4l1.9-9.8zM30.7 16.5l1.25-3.45.72 3.45zM33.35 20h2.2l-1.92-9.8h-2.03c-.46 0-.84.27-1.01.67L27.02 20h2.5l.49-1.37h3.05zM27.14 16.8c.01-2.59-3.58-2.73-3.55-3.89 0-.35.34-.73 1.08-.82.36-.05 1.37-.09 2.51.44l.45-2.09a6.8 6.8 0 0 0-2.38-.44c-2.51 0-4.28 1.34-4.29 3.25-.02 1.42 1.26 2.21 2.23 2.68 1 .48 1.33.79 1.33 1.23-.01.66-.79.95-1.53.96-1.28.02-2.02-.35-2.62-.62l-.46 2.16c.6.27 1.7.51 2.84.53 2.67 0 4.42-1.32 4.43-3.36M17.18 10.2 13.06 20h-2.69L8.34 12.18c-.12-.48-.23-.66-.6-.86-.61-.33-1.61-.64-2.49-.83l.06-.29h4.32c.55 0 1.05.37 1.17 1l1.07 5.68 2.65-6.68z"
        />
      </svg>
    </li>
    <li>
      <svg viewBox="0 0 48 30" width="48" height="30" role="img" aria-label="Mastercard">
        <rect x=".5" y=".5" width="47" height="29" rx="4" className="card-brands__card" />
        <g fill="currentColor">
          <circle cx="20" cy="15" r="8" opacity=".55" />
          <circle cx="28" cy="15" r="8" opacity=".55" />
        </g>
      </svg>
    </li>
  </ul>
)
