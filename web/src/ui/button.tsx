import './button.css'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router-dom'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'

const classes = (look: Look, className?: string) => `button button--${look}${className ? ` ${className}` : ''}`

type ButtonProps = ComponentProps<'button'> & {
  look?: Look
  /** While true the button is disabled and shows `busyLabel`; its width stays. */
  busy?: boolean
  busyLabel?: ReactNode
}

export function Button({
  look = 'primary',
  busy = false,
  busyLabel,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(look, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      <span className="button__label" data-shown={!(busy && busyLabel)}>
        {children}
      </span>
      {busyLabel !== undefined && (
        <span className="button__label" data-shown={busy}>
          {busyLabel}
        </span>
      )}
    </button>
  )
}

/** A link that looks like a button: it goes somewhere, it does nothing. */
export function LinkButton({
  look = 'primary',
  className,
  children,
  ...rest
}: ComponentProps<typeof Link> & { look?: Look }) {
  return (
    <Link {...rest} className={classes(look, className)}>
      <span className="button__label" data-shown="true">
        {children}
      </span>
    </Link>
  )
}

/** A round button with an icon. `label` is what it does, in words. */
export function IconButton({ label, className, ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`icon-button${className ? ` ${className}` : ''}`}
    />
  )
}
