import { Icon } from '../ui/icon.tsx'
import { useWallets } from './use-wallets.ts'

/** On a touch device without an injected wallet: a link that opens this page in the browser of MetaMask's app. */
export function OpenInMetamask() {
  const wallets = useWallets()
  if (wallets.length > 0 || !matchMedia('(pointer: coarse)').matches) return null
  const { host, pathname, search } = location
  return (
    <a className="button button--text" href={`https://metamask.app.link/dapp/${host}${pathname}${search}`}>
      <span className="button__label" data-shown="true">
        Open in MetaMask <Icon name="out" size={18} />
      </span>
    </a>
  )
}
