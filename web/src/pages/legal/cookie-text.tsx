import { paths } from '../../api/paths.ts'
import { Link } from '../../ui/link.tsx'
import { CookieTable } from './cookie-table.tsx'
import type { Section } from './legal-text.tsx'

export const cookieText: Section[] = [
  {
    id: 'what',
    title: 'What cookies are',
    body: (
      <>
        <p>
          Cookies are small texts that a site keeps in your browser. The law lets us keep those that the store cannot
          work without. For all others we need your consent, and we request it before anything is loaded.
        </p>
        <p>
          Your log-in is not kept in a cookie but in the storage of your browser (token, userId, username), and so is a
          copy of your decision (cookie_consent_status). No one but us reads it.
        </p>
        <p>
          The same storage keeps the works that you viewed recently (recently_viewed, until you log out; we receive them
          only to leave out those that the store shows no more), your favourites before you log in (favourites), when
          you last changed something (changed_at), and from your first log-in a random ID by which a log-in on this
          browser is recognised (deviceId). It also keeps, for a day or until you log out, the page to which a log-in
          leads back (return_to), and until you close the tab the terms that you accepted there (accepted_terms) and
          that you have seen the question for a wallet (connect_shown).
        </p>
      </>
    ),
  },
  {
    id: 'purposes',
    title: 'What you decide about',
    body: (
      <ul>
        <li>
          <strong>Necessary</strong>: always on.
        </li>
        <li>
          <strong>Analytics</strong>: a tag manager and the statistics of an analytics provider.
        </li>
        <li>
          <strong>Marketing</strong>: content of third parties, such as the video beside the log-in, embedded in its
          privacy-enhanced form.
        </li>
      </ul>
    ),
  },
  {
    id: 'change',
    title: 'How to change your choice',
    body: (
      <p>
        At any time: with the buttons above, or with “Cookie Preferences” at the edge of every page. When you withdraw
        your consent, only the necessary cookie stays and the page is loaded anew without everything else. What was done
        before remains lawful. Please state your consent ID and date when you write to us about your consent. More about
        your data is in the <Link to={paths.privacy}>Privacy policy</Link>.
      </p>
    ),
  },
  {
    id: 'declaration',
    title: 'Cookie declaration',
    body: (
      <>
        <p className="legal__updated">
          Cookie declaration last updated on <time dateTime="2025-01-20">20.01.2025</time>
        </p>
        <CookieTable />
      </>
    ),
  },
]
