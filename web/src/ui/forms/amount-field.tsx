import { formatPrice } from '@nifty/api/price'
import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import { amountWithin } from './amount.ts'
import { Field } from './field.tsx'

type Props = Omit<ComponentProps<typeof Field>, 'value' | 'onChange' | 'type' | 'ref' | 'min' | 'max'> & {
  text: string
  onText: (text: string) => void
  /** The lowest and the highest amount, in euros. */
  range: { min: number; max: number }
}

/**
 * A field for an amount in euros. Below it is the amount as it was read, before it counts; a form with another text is
 * not submitted. A text field: one of type `number` drops signs that the browser's language does not use in numbers.
 */
export function AmountField({ text, onText, range, hint, error, ...rest }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [left, setLeft] = useState(false)
  const amount = text.trim() ? amountWithin(text, range) : undefined
  const problem = amount && 'problem' in amount ? amount.problem : ''

  useLayoutEffect(() => input.current?.setCustomValidity(problem), [problem])

  return (
    <Field
      {...rest}
      ref={input}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      hint={amount && 'euros' in amount ? `= ${formatPrice(amount.euros)}` : hint}
      error={(left && problem) || error}
      onChange={(event) => {
        setLeft(false)
        onText(event.target.value)
      }}
      onBlur={() => setLeft(true)}
      onInvalid={() => setLeft(true)}
    />
  )
}
