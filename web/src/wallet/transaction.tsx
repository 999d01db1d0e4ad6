import { CopyButton } from '../ui/copy-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { shorten } from '../ui/shorten.ts'

/** A transaction hash: a link to the block explorer, or the hash to copy. */
export function Transaction({ hash, explorerUrl }: { hash: string; explorerUrl: string | undefined }) {
  const short = shorten(hash, 6, 6)
  if (!explorerUrl) {
    return (
      <span className="transaction tabular">
        {short} <CopyButton text={hash} label="Copy transaction hash" />
      </span>
    )
  }
  return (
    <a
      className="transaction tabular"
      href={`${explorerUrl}/tx/${hash}`}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Transaction ${short}`}
    >
      {short} <Icon name="out" size={16} />
    </a>
  )
}
