import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'

const confirmedFor = 4000

/** Copies `text` and shows "Copied!" for 4 s. A refused clipboard shows nothing. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(0)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(0), confirmedFor)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied((times) => times + 1)
    } catch {
      // The browser refused; nothing is shown, as specified.
    }
  }

  return (
    <span className="copy">
      <span role="status" className="copy__confirmation">
        {copied ? 'Copied!' : ''}
      </span>
      <button type="button" className="icon-button" aria-label={label} title={label} onClick={() => void copy()}>
        <Icon name={copied ? 'check' : 'copy'} size={18} />
      </button>
    </span>
  )
}
