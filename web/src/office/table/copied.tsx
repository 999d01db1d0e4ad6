import { CopyButton } from '../../ui/copy-button.tsx'

export const Copied = ({ text, label }: { text: string; label: string }) => (
  <span className="copied">
    <span className="mono">{text}</span>
    <CopyButton text={text} label={label} />
  </span>
)
