import type { OwnProfile } from '@nifty/api/auth/account'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import type { FoundWallet } from '../../wallet/ethereum.ts'
import { useConnectWallet } from '../../wallet/use-connect-wallet.ts'
import { useWallets } from '../../wallet/use-wallets.ts'

type Props = { profile: Pick<OwnProfile, '_id' | 'metamaskAddress' | 'walletProven'>; onLinked: () => Promise<unknown> }

/** The wallet that works are delivered to: linked, proven, or to be connected. */
export function WalletLink({ profile, onLinked }: Props) {
  const wallets = useWallets()
  const { busy, connect } = useConnectWallet(profile._id)
  const { metamaskAddress: address, walletProven } = profile

  const link = async (wallet: FoundWallet | undefined) => {
    if (!wallet) return toast.error('MetaMask is not installed. Please install it and try again.')
    const answer = await connect(wallet)
    if (!answer) return
    if ('problem' in answer) return toast.error(answer.problem)
    toast.success('MetaMask connected successfully!')
    await onLinked()
  }

  const choices: (FoundWallet | undefined)[] = wallets.length > 0 ? wallets : [undefined]
  const verb = address ? (walletProven ? 'Change wallet' : 'Sign to prove it is yours') : 'Connect MetaMask'
  const nameOf = (wallet: FoundWallet | undefined) => (wallet && choices.length > 1 ? `${verb} (${wallet.name})` : verb)

  return (
    <>
      {address && (
        <p className="settings-section__wallet tabular">
          {address} <CopyButton text={address} label="Copy wallet address" />
        </p>
      )}
      {address && !walletProven && (
        <Notice>
          Nobody has proven yet that this wallet is yours: works in it show no owner. One signature proves it; it costs
          nothing.
        </Notice>
      )}
      <div className="settings-section__row settings-section__wallets">
        {choices.map((wallet) => (
          <Button
            key={wallet?.id ?? 'none'}
            look={address ? 'plain' : 'primary'}
            busy={busy}
            busyLabel="Connecting..."
            onClick={() => void link(wallet)}
          >
            {wallet?.icon && <img src={wallet.icon} alt="" />}
            {nameOf(wallet)}
          </Button>
        ))}
      </div>
    </>
  )
}
