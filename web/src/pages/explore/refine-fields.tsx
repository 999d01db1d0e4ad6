import './refine-fields.css'
import { colorNames } from '@nifty/api/market-filters'
import { formatPrice, priceRange } from '@nifty/api/price'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useCreators } from '../../creators/use-creators.ts'
import { amountWithin } from '../../ui/forms/amount.ts'
import { Field, Select } from '../../ui/forms/field.tsx'
import { defaultSort, type Filters, labelOf, type Refinements, shapeOptions, sortOptions } from './filters.ts'

/** What a swatch shows: a work of this colour's name is rarely this colour exactly. */
const swatches: Record<(typeof colorNames)[number], string> = {
  red: '#d8342c',
  orange: '#ee8a2c',
  yellow: '#f2d43a',
  green: '#3f9d4b',
  teal: '#22a39b',
  blue: '#3264d8',
  purple: '#8348d4',
  pink: '#ea6bb0',
  brown: '#7b5232',
  black: '#0b0b0d',
  grey: '#85858c',
  white: '#f3f1ec',
}

type Props = { filters: Filters; onChange: (changes: Refinements) => void }

/** Order, price range, shape, artist and colour. Typed values apply with Enter or when the field is left. */
export function RefineFields({ filters, onChange }: Props) {
  const { sort, minPrice = '', maxPrice = '', orientation, creator = '', color } = filters
  // Who goes from one price to the other quickly is done before the address has changed.
  const range = useRef({ minPrice, maxPrice })
  useEffect(() => {
    range.current = { minPrice, maxPrice }
  }, [minPrice, maxPrice])
  const applyPrice = (bound: 'minPrice' | 'maxPrice', text: string | undefined) => {
    const price = text ? String(eurosOf(text)) : undefined
    range.current[bound] = price ?? ''
    onChange({ [bound]: price })
  }
  return (
    <div className="refine">
      <Select
        label="Sort by"
        value={sort ?? ''}
        onChange={(event) => onChange({ sort: event.target.value || undefined })}
      >
        <option value="">{filters.search ? 'Best match' : labelOf(sortOptions, defaultSort(filters.search))}</option>
        {sortOptions
          .filter(({ value }) => value !== defaultSort(filters.search))
          .map(({ label, value }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
      </Select>
      <TypedField
        label="Price from (€)"
        value={minPrice}
        other={maxPrice}
        inputMode="decimal"
        check={(text) =>
          priceError(text, (euros) => euros <= Number(range.current.maxPrice || Number.POSITIVE_INFINITY))
        }
        readAs={priceRead}
        onApply={(text) => applyPrice('minPrice', text)}
      />
      <TypedField
        label="Price to (€)"
        value={maxPrice}
        other={minPrice}
        inputMode="decimal"
        check={(text) => priceError(text, (euros) => euros >= Number(range.current.minPrice || 0))}
        readAs={priceRead}
        onApply={(text) => applyPrice('maxPrice', text)}
      />
      <Select
        label="Shape"
        value={orientation ?? ''}
        onChange={(event) => onChange({ orientation: event.target.value || undefined })}
      >
        {shapeOptions.map(({ label, value }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <ArtistField value={creator} onApply={(text) => onChange({ creator: text })} />
      <fieldset className="refine__wide">
        <legend className="field__label">Colour</legend>
        <div className="refine__colors">
          {colorNames.map((name) => (
            <button
              key={name}
              type="button"
              className="refine__color"
              style={{ '--swatch': swatches[name] }}
              aria-label={name}
              title={name}
              aria-pressed={color === name}
              onClick={() => onChange({ color: color === name ? undefined : name })}
            />
          ))}
        </div>
      </fieldset>
    </div>
  )
}

const readPrice = (text: string) => amountWithin(text, { min: 0, max: priceRange.max })

function priceError(text: string, isInOrder: (euros: number) => boolean): string | undefined {
  const amount = readPrice(text)
  if ('problem' in amount) return amount.problem
  return isInOrder(amount.euros) ? undefined : 'From is above to'
}

function eurosOf(text: string): number | undefined {
  const amount = readPrice(text)
  return 'euros' in amount ? amount.euros : undefined
}

function priceRead(text: string): string | undefined {
  const euros = eurosOf(text)
  return euros === undefined ? undefined : `= ${formatPrice(euros)}`
}

type TypedProps = {
  label: string
  value: string
  /** The error of a text that is not empty. */
  check: (text: string) => string | undefined
  /** How a text was read, shown before it is applied. */
  readAs?: (text: string) => string | undefined
  /** The value of the field that `check` compares with: when it changes, a text with an error is tried again. */
  other?: string
  onApply: (text: string | undefined) => void
} & Pick<React.ComponentProps<'input'>, 'inputMode' | 'list' | 'placeholder' | 'onFocus' | 'maxLength'>

function TypedField({ label, value, check, readAs, other, onApply, ...input }: TypedProps) {
  const [text, setText] = useState(value)
  const [error, setError] = useState<string>()
  const [seen, setSeen] = useState(value)

  // The URL has changed: the field takes its value.
  if (seen !== value) {
    setSeen(value)
    setText(value)
    setError(undefined)
  }

  const apply = () => {
    const typed = text.trim()
    if (typed === value) return setError(undefined)
    const found = typed ? check(typed) : undefined
    setError(found)
    if (!found) onApply(typed || undefined)
  }
  const applyAgain = useEffectEvent(() => {
    if (error) apply()
  })
  useEffect(() => {
    if (other !== undefined) applyAgain()
  }, [other])

  return (
    <Field
      {...input}
      label={label}
      value={text}
      hint={text.trim() === value ? undefined : readAs?.(text)}
      error={error}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        apply()
      }}
    />
  )
}

/** Suggests the artists once the field has the focus. */
function ArtistField({ value, onApply }: Pick<TypedProps, 'value' | 'onApply'>) {
  const [focused, setFocused] = useState(false)
  const listId = useId()
  return (
    <>
      <TypedField
        label="Artist"
        value={value}
        placeholder="@username"
        maxLength={300}
        list={listId}
        check={(text) => (/^@?[^@]+$/.test(text) ? undefined : 'A username such as @ada')}
        onApply={(text) => onApply(text && `@${text.replace(/^@/, '')}`)}
        onFocus={() => setFocused(true)}
      />
      <datalist id={listId}>{focused && <ArtistSuggestions />}</datalist>
    </>
  )
}

function ArtistSuggestions() {
  const { creators } = useCreators({ limit: 200 })
  return creators.map(({ _id, username, firstName, lastName }) => (
    <option key={_id} value={username}>
      {`${firstName} ${lastName}`.trim()}
    </option>
  ))
}
