import './button.css'
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react'
import { Link } from './link.tsx'

type Variant = 'primary' | 'secondary' | 'text' | 'danger'

const classes = (variant: Variant, className?: string) => `button button--${variant}${className ? ` ${className}` : ''}`

type ButtonProps = Omit<ComponentProps<'button'>, 'ref'> & {
  variant?: Variant
  /**
   * Disables the button and shows `busyLabel`; the width does not change. A focus that this takes comes back
   * afterwards.
   */
  busy?: boolean
  busyLabel?: ReactNode
}

export function Button({
  variant = 'primary',
  busy = false,
  busyLabel,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const focused = useRef(false)
  useLayoutEffect(() => {
    if (busy) focused.current = document.activeElement === button.current
    else if (focused.current) {
      focused.current = false
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    }
  }, [busy])

  return (
    <button
      type="button"
      {...rest}
      ref={button}
      className={classes(variant, className)}
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

/** A link in the style of a button. */
export function LinkButton({
  variant = 'primary',
  className,
  children,
  ...rest
}: ComponentProps<typeof Link> & { variant?: Variant }) {
  return (
    <Link {...rest} className={classes(variant, className)}>
      <span className="button__label" data-shown="true">
        {children}
      </span>
    </Link>
  )
}

/** A round button with an icon. `label` is its accessible name. */
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
