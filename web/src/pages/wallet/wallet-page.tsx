import './wallet-page.css'
import { pages } from '@nifty/api/pages'
import { paths, settingsUrl } from '../../api/paths.ts'
import { useSession } from '../../api/session.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { OpenInMetamask } from '../../wallet/open-in-metamask.tsx'

const providerUrl = 'https://metamask.io/download/'

const steps = [
  { title: 'Get the wallet', text: 'A free browser extension, or an app for your phone.' },
  { title: 'Link it', text: ', with one click and one signature. Both are free.', inSettings: true },
  {
    title: 'Collect',
    text: 'Pay by bank card, in euros. Your works arrive in the wallet; no cryptocurrency is needed. Without a wallet we keep them for you, free of charge, until you move them to one.',
  },
]

export function WalletPage() {
  const { token, userId } = useSession()
  const settings = token && userId ? settingsUrl(userId) : paths.login
  return (
    <>
      <PageHead title={pages.wallet.title} crumb="Wallet" />
      <div className="wallet-page wrap">
        <a className="wallet-page__card" href={providerUrl} target="_blank" rel="noopener noreferrer">
          <span className="wallet-page__mark">
            <Icon name="wallet" size={40} />
          </span>
          <span className="wallet-page__name">MetaMask</span>
          <span className="wallet-page__text">
            The wallet that your works are delivered to. Its website explains how to get it.
          </span>
          <span className="wallet-page__link">
            metamask.io <Icon name="out" size={18} />
            <span className="visually-hidden">(opens in a new tab)</span>
          </span>
        </a>
        <ol className="wallet-page__steps">
          {steps.map(({ title, text, inSettings }) => (
            <li key={title}>
              <h2>{title}</h2>
              <p>
                {inSettings && <Link to={settings}>In your settings</Link>}
                {text}
              </p>
            </li>
          ))}
        </ol>
        <OpenInMetamask />
      </div>
    </>
  )
}
