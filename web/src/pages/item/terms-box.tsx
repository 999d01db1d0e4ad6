import { paths } from '../../api/paths.ts'
import { Checkbox } from '../../ui/forms/field.tsx'
import { Link } from '../../ui/link.tsx'

/** Undefined: the checkbox is the browser's, as before the app has started. */
type Props = { accepted: boolean | undefined; onAccept: ((accepted: boolean) => void) | undefined }

export const TermsBox = ({ accepted, onAccept }: Props) => (
  <Checkbox
    checked={accepted}
    onChange={(event) => onAccept?.(event.target.checked)}
    label={
      <>
        I declare that I have read, understand and accept the{' '}
        <Link to={paths.terms} target="_blank" rel="noopener">
          Terms and Conditions
        </Link>
      </>
    }
  />
)
