import { storeName } from '../../api/store-name.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { saveFile } from '../../ui/save-file.ts'

/** New recovery codes, shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const download = () => {
    const text = `Recovery codes of your ${storeName} account\n\n${codes.join('\n')}\n`
    saveFile('recovery-codes.txt', [text], 'text/plain')
  }

  return (
    <>
      <h3 tabIndex={-1}>Your recovery codes</h3>
      <p>
        Each of them works once instead of a code of the app, for instance when your phone is lost. Keep them where your
        password is not; we do not show them again.
      </p>
      <ul className="recovery-codes tabular">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="settings-section__row">
        <Button variant="secondary" onClick={download}>
          Download
        </Button>
        <CopyButton text={codes.join('\n')} label="Copy recovery codes" />
        <Button variant="secondary" onClick={onDone}>
          I have saved them
        </Button>
      </div>
    </>
  )
}
