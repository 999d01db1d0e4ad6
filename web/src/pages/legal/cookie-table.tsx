import './cookie-table.css'
import { storeName } from '../../api/store-name.ts'

type Declared = { name: string; provider: string; purpose: string; expiry: string }

const declared: { kind: string; text: string; cookies: Declared[] }[] = [
  {
    kind: 'Necessary (1)',
    text: 'Necessary cookies make the store usable. It cannot remember your decision without this one.',
    cookies: [
      {
        name: 'cookie_consent',
        provider: storeName,
        purpose:
          'Stores your consent state for this site, with its ID, date and chosen purposes (cookie_consent_id, cookie_consent_date, cookie_preferences).',
        expiry: '1 year',
      },
    ],
  },
  {
    kind: 'Statistics (2)',
    text: 'Statistics cookies help us to understand how the store is used. They are set only with your consent.',
    cookies: [
      {
        name: '_ga',
        provider: 'Google Analytics',
        purpose: 'Registers a unique ID that is used to count visits and visitors.',
        expiry: '2 years',
      },
      {
        name: '_ga_#',
        provider: 'Google Analytics',
        purpose: 'Keeps how often and when you visited, to tell one visit from the next.',
        expiry: '2 years',
      },
    ],
  },
]

/** Every cookie that may be set, by purpose. The date and the counts are specified. */
export const CookieTable = () => (
  <div className="cookie-table">
    {declared.map(({ kind, text, cookies }) => (
      <table key={kind}>
        <caption>
          <span className="cookie-table__kind">{kind}</span>
          {text}
        </caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Provider</th>
            <th scope="col">Purpose</th>
            <th scope="col">Expiry</th>
          </tr>
        </thead>
        <tbody>
          {cookies.map(({ name, provider, purpose, expiry }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-label="Provider">{provider}</td>
              <td data-label="Purpose">{purpose}</td>
              <td data-label="Expiry">{expiry}</td>
            </tr>
          ))}
        </tbody>
      </table>
    ))}
  </div>
)
