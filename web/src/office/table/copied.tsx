import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { shorten } from '../../ui/shorten.ts'

type Props = {
  text: string
  label: string
  /** In its place: shorter, or with places to break at. */
  shown?: ReactNode
}

export const Copied = ({ text, label, shown = text }: Props) => (
  <span className="copied">
    <span className="mono">{shown}</span>
    <CopyButton text={text} label={label} />
  </span>
)

export const TransactionHash = ({ hash }: { hash: string }) => (
  <Copied text={hash} label="Copy the hash" shown={shorten(hash, 10, 8)} />
)
