import type { OwnProfile } from '@nifty/api/auth/account'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import type { FoundWallet } from '../../wallet/ethereum.ts'
import { OpenInMetamask } from '../../wallet/open-in-metamask.tsx'
import { useConnectWallet } from '../../wallet/use-connect-wallet.ts'
import { useWallets } from '../../wallet/use-wallets.ts'

type Props = { profile: Pick<OwnProfile, '_id' | 'metamaskAddress' | 'walletProven'>; onLinked: () => Promise<unknown> }

/** The linked wallet: connect it, change it, or prove it with a signature. */
export function WalletLink({ profile, onLinked }: Props) {
  const wallets = useWallets()
  const { busy, connect } = useConnectWallet(profile._id)
  const { metamaskAddress: address, walletProven } = profile

  const link = async (wallet: FoundWallet | undefined) => {
    if (!wallet) return toast.error('MetaMask is not installed. Please install it and try again.')
    const result = await connect(wallet)
    if (!result) return
    if ('problem' in result) return toast.error(result.problem)
    toast.success('MetaMask connected successfully!')
    await onLinked()
  }

  const choices: (FoundWallet | undefined)[] = wallets.length > 0 ? wallets : [undefined]
  const change = walletProven ? 'Change wallet' : 'Verify with a signature'
  const labelOf = (wallet: FoundWallet | undefined) => {
    if (!wallet || choices.length === 1) return address ? change : 'Connect MetaMask'
    return address ? `${change} (${wallet.name})` : `Connect ${wallet.name}`
  }

  return (
    <>
      {address && (
        <p className="settings-section__wallet tabular">
          {address} <CopyButton text={address} label="Copy wallet address" />
        </p>
      )}
      {address && !walletProven && (
        <Notice>
          This wallet is not verified yet: works in it show no owner. Verify it with one signature; it is free.
        </Notice>
      )}
      <div className="settings-section__row settings-section__wallets">
        {choices.map((wallet) => (
          <Button
            key={wallet?.id ?? 'none'}
            variant={address ? 'secondary' : 'primary'}
            busy={busy}
            busyLabel="Connecting..."
            onClick={() => void link(wallet)}
          >
            {wallet?.icon && <img src={wallet.icon} alt="" />}
            {labelOf(wallet)}
          </Button>
        ))}
        <OpenInMetamask />
      </div>
    </>
  )
}
