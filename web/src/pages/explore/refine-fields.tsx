import './refine-fields.css'
import { colorNames } from '@nifty/api/market-filters'
import { formatPrice, priceRange } from '@nifty/api/price'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useCreators } from '../../creators/use-creators.ts'
import { amountWithin } from '../../ui/forms/amount.ts'
import { Field, Select } from '../../ui/forms/field.tsx'
import {
  DEBOUNCE_MS,
  defaultSort,
  type Filters,
  isArtist,
  labelOf,
  type Refinements,
  shapeOptions,
  sortOptions,
} from './filters.ts'

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

type Props = { filters: Filters; onChange: (changes: Refinements, how?: 'replace' | 'push') => void }

/**
 * Order, price range, shape, artist and colour. Typed values apply as the search does: after a pause, or with Enter.
 */
export function RefineFields({ filters, onChange }: Props) {
  const { sort, minPrice = '', maxPrice = '', orientation, creator = '', color } = filters
  const colorGroup = useId()
  // Who goes from one price to the other quickly is done before the address has changed.
  const range = useRef({ minPrice, maxPrice })
  useEffect(() => {
    range.current = { minPrice, maxPrice }
  }, [minPrice, maxPrice])
  const applyPrice = (bound: 'minPrice' | 'maxPrice', price: string) => {
    range.current[bound] = price
    onChange({ [bound]: price || undefined }, 'replace')
  }
  return (
    <div className="refine">
      <Select
        label="Sort by"
        value={sort ?? ''}
        onChange={(event) => onChange({ sort: event.target.value || undefined })}
      >
        <option value="">
          {labelOf(sortOptions, defaultSort(filters)) || (filters.search ? 'Best match' : 'Ending soonest')}
        </option>
        {sortOptions
          .filter(({ value }) => value !== defaultSort(filters))
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
        read={(text) => readPrice(text, (euros) => euros <= Number(range.current.maxPrice || Number.POSITIVE_INFINITY))}
        hintOf={priceHint}
        onApply={(price) => applyPrice('minPrice', price)}
      />
      <TypedField
        label="Price to (€)"
        value={maxPrice}
        other={minPrice}
        inputMode="decimal"
        read={(text) => readPrice(text, (euros) => euros >= Number(range.current.minPrice || 0))}
        hintOf={priceHint}
        onApply={(price) => applyPrice('maxPrice', price)}
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
      <ArtistField value={creator} onApply={(text) => onChange({ creator: text || undefined }, 'replace')} />
      <fieldset>
        <legend className="field__label">Colour</legend>
        <div className="refine__colors">
          {[undefined, ...colorNames].map((name) => (
            <input
              key={name ?? 'any'}
              type="radio"
              name={colorGroup}
              className="refine__color"
              style={name && { '--swatch': swatches[name] }}
              aria-label={name ?? 'any'}
              title={name ?? 'any'}
              checked={color === name}
              onChange={() => onChange({ color: name })}
            />
          ))}
        </div>
      </fieldset>
    </div>
  )
}

/** What a typed text means, as the address has it. */
type Read = { value: string } | { problem: string }

const amountOf = (text: string) => amountWithin(text, { min: 0, max: priceRange.max })

function readPrice(text: string, isInOrder: (euros: number) => boolean): Read {
  const amount = amountOf(text)
  if ('problem' in amount) return amount
  return isInOrder(amount.euros) ? { value: String(amount.euros) } : { problem: 'From is above to' }
}

function priceHint(text: string): string | undefined {
  const amount = amountOf(text)
  return 'euros' in amount ? `= ${formatPrice(amount.euros)}` : undefined
}

type TypedProps = {
  label: string
  value: string
  /** Reads a text that is not empty. */
  read: (text: string) => Read
  /** How a text was read, shown while it is typed. */
  hintOf?: (text: string) => string | undefined
  /** The value of the field that `read` compares with: when it changes, a text with a problem is tried again. */
  other?: string
  onApply: (value: string) => void
} & Pick<React.ComponentProps<'input'>, 'inputMode' | 'list' | 'placeholder' | 'onFocus' | 'maxLength'>

function TypedField({ label, value, read, hintOf, other, onApply, ...input }: TypedProps) {
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string>()
  const [applied, setApplied] = useState(value)
  const [seen, setSeen] = useState(value)

  // The address has changed, and not by this field: the field takes its value.
  if (seen !== value) {
    setSeen(value)
    if (value !== applied) {
      setApplied(value)
      setText(value)
      setProblem(undefined)
    }
  }

  /** While it is typed, a text keeps its form and has no error yet: it may be half of what is meant. */
  const apply = (how: 'typing' | 'done') => {
    const typed = text.trim()
    const found = typed ? read(typed) : { value: '' }
    if ('problem' in found) {
      if (how === 'done') setProblem(found.problem)
      return
    }
    setProblem(undefined)
    if (how === 'done') setText(found.value)
    if (found.value === applied) return
    setApplied(found.value)
    onApply(found.value)
  }
  const applyAfterPause = useEffectEvent(() => apply('typing'))
  const applyAgain = useEffectEvent(() => {
    if (problem) apply('done')
  })
  useEffect(() => {
    const timer = setTimeout(() => applyAfterPause(), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    if (other !== undefined) applyAgain()
  }, [other])

  return (
    <Field
      {...input}
      label={label}
      value={text}
      hint={text.trim() === value ? undefined : hintOf?.(text)}
      error={problem}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      onBlur={() => apply('done')}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        apply('done')
      }}
    />
  )
}

/** Takes names and usernames. Suggests the artists once the field has the focus. */
function ArtistField({ value, onApply }: Pick<TypedProps, 'value' | 'onApply'>) {
  const [focused, setFocused] = useState(false)
  const listId = useId()
  return (
    <>
      <TypedField
        label="Artist"
        value={value}
        placeholder="Name or @username"
        maxLength={299}
        list={listId}
        read={(text) => (isArtist(text) ? { value: text } : { problem: 'A name, or a username such as @ada' })}
        onApply={onApply}
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
