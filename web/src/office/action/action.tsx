import './action.css'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/forms/field.tsx'
import { type FormValues, useForm } from '../../ui/forms/use-form.ts'
import { Link } from '../../ui/link.tsx'
import { StoreError } from '../store/request.ts'
import { reloadAll } from '../store/use-store.ts'

/** `id` is the same for all tries of one dialog, for endpoints that do the same request once. */
type Given = { reason: string; id: string }

type Props = {
  /** On the button that opens it; with `…` by convention, because nothing happens yet. */
  label: string
  /** What is done, as a sentence without a full stop: the title of the dialog and its button. */
  title: string
  /** What will happen, shown before. */
  effects: ReactNode
  /** Shown in place of the form, because it is not possible now. */
  refused?: ReactNode
  /** Another text than the reason of the audit log, which `run` gets as its reason. */
  reasonField?: { label: string; hint: string; maxLength: number }
  /** Further fields of the form. */
  children?: ReactNode
  variant?: 'primary' | 'secondary' | 'danger' | 'text'
  /** Sends the request. Returns what happened. Rejects with a StoreError. */
  run: (values: FormValues & Given) => Promise<ReactNode>
}

type Opened = Omit<Props, 'label'>

let opened: Opened | undefined
const listeners = new Set<() => void>()

function change(next: Opened | undefined) {
  opened = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Something that an operator does: what will happen, a reason, and afterwards what happened. */
export const Action = ({ label, variant = 'secondary', ...rest }: Props) => (
  <Button variant={variant} onClick={() => change({ ...rest, variant })}>
    {label}
  </Button>
)

/** The dialog of actions. Not within them: what was acted on may leave the page, and its outcome stays. */
export function ActionLayer() {
  const action = useSyncExternalStore(subscribe, () => opened)
  const close = () => change(undefined)
  return (
    <Dialog open={action !== undefined} title={action?.title ?? ''} onClose={close}>
      {action && <ActionForm {...action} onClose={close} />}
    </Dialog>
  )
}

type FormProps = Opened & { onClose: () => void }

const auditLog = { label: 'Reason', hint: 'It stays in the audit log, with your name.', maxLength: 500 }

/** Its state ends with the dialog. What was done is not offered again: another try opens the dialog anew. */
function ActionForm({ title, effects, refused, variant, reasonField = auditLog, children, run, onClose }: FormProps) {
  const [outcome, setOutcome] = useState<{ text: ReactNode; reason: string }>()
  const [unknown, setUnknown] = useState(false)
  const [id] = useState(() => crypto.randomUUID())
  const { busy, onSubmit, message, fields } = useForm(async (values) => {
    const typed = values.text('reason').trim()
    // The audit log has a reason in one line.
    const reason = reasonField === auditLog ? typed.replace(/\s+/g, ' ') : typed
    setUnknown(false)
    try {
      setOutcome({ text: await run({ ...values, reason, id }), reason })
      await reloadAll()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      setUnknown(error.status === 0 || error.status >= 500)
      const messages = Object.fromEntries(error.errors.map(({ path, msg }) => [path, msg]))
      return { message: error.message, fields: messages.reason ? messages : undefined }
    }
  })

  if (outcome)
    return (
      <div className="action">
        <div className="action__effects" role="status">
          <h3>What happened</h3>
          <p>{outcome.text}</p>
        </div>
        <p>
          <span className="muted">{reasonField.label}: </span>
          <span className="written">{outcome.reason}</span>
        </p>
        <div className="dialog__actions">
          <Button onClick={onClose}>Close</Button>
          <Link to="/system" onClick={onClose}>
            Audit log
          </Link>
        </div>
      </div>
    )

  return (
    <form className="action" onSubmit={onSubmit}>
      <div className="action__effects">
        <h3>What will happen</h3>
        {effects}
      </div>
      {refused ? (
        <p>{refused}</p>
      ) : (
        <>
          {children}
          <TextArea {...reasonField} name="reason" required rows={3} error={fields.reason} />
        </>
      )}
      {message && (
        <p className="action__error" role="alert">
          {message}
          {unknown && ' Whether it was done is unknown. Repeating it does nothing twice.'}
        </p>
      )}
      <div className="dialog__actions">
        {!refused && (
          <Button
            type="submit"
            variant={variant === 'danger' ? 'danger' : 'primary'}
            busy={busy}
            busyLabel="One moment"
          >
            {title}
          </Button>
        )}
        <Button variant="secondary" onClick={onClose}>
          Leave it
        </Button>
      </div>
    </form>
  )
}

export const Effects = ({ lines }: { lines: ReactNode[] }) => (
  <ul>
    {lines.map((line, index) => (
      <li key={index}>{line}</li>
    ))}
  </ul>
)
