import './work-picker.css'
import type { FoundItem } from '@nifty/api/catalog/item-search'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Contents } from '../table/section.tsx'
import { useWorksNamed } from './use-works-named.ts'
import { WorkPicture } from './work-picture.tsx'

type Props = {
  /** Of the field with the ids of the chosen works, separated by spaces. */
  name: string
  legend: string
  max: number
  /** Chosen before. */
  before?: FoundItem[]
}

/** Finds works by title, artist or the address of their page, and puts them in order. */
export function WorkPicker({ name, legend, max, before = [] }: Props) {
  const [chosen, setChosen] = useState(before)
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  const [outcome, setOutcome] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const find = () => setSearch(typed.trim())

  const add = (work: FoundItem) => {
    setChosen([...chosen, work])
    setOutcome(`${work.name} is number ${chosen.length + 1}.`)
  }
  const remove = (work: FoundItem) => {
    setChosen(chosen.filter(({ itemId }) => itemId !== work.itemId))
    setOutcome(`${work.name} is removed.`)
    // Its button leaves the page.
    list.current?.focus()
  }
  const move = (from: number, to: number) => {
    const moved = [...chosen]
    moved.splice(to, 0, ...moved.splice(from, 1))
    setChosen(moved)
    setOutcome(`${chosen[from]!.name} is number ${to + 1}.`)
  }

  return (
    <fieldset className="work-picker">
      <legend>{legend}</legend>
      <input type="hidden" name={name} value={chosen.map(({ itemId }) => itemId).join(' ')} />
      <p className="visually-hidden" role="status">
        {outcome}
      </p>
      <ol ref={list} tabIndex={-1} aria-label="Chosen works">
        {chosen.map((work, index) => (
          <Row key={work.itemId} work={work} number={index + 1}>
            <Order label="Up" work={work} disabled={index === 0} onClick={() => move(index, index - 1)} />
            <Order
              label="Down"
              work={work}
              disabled={index === chosen.length - 1}
              onClick={() => move(index, index + 1)}
            />
            <Order label="Remove" work={work} onClick={() => remove(work)} />
          </Row>
        ))}
      </ol>
      {chosen.length === 0 && <p className="muted">None is chosen yet.</p>}
      <div className="work-picker__search">
        <Field
          label="Title, artist or the address of its page"
          type="search"
          autoComplete="off"
          maxLength={254}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // Else it sends the form.
            event.preventDefault()
            find()
          }}
        />
        <Button variant="secondary" onClick={find}>
          Find
        </Button>
      </div>
      {search && (
        <Found search={search}>
          {(work) =>
            chosen.some(({ itemId }) => itemId === work.itemId) ? (
              <span className="muted">chosen</span>
            ) : (
              <Order label="Add" work={work} disabled={chosen.length >= max} onClick={() => add(work)} />
            )
          }
        </Found>
      )}
    </fieldset>
  )
}

const SHOWN = 12

function Found({ search, children }: { search: string; children: (work: FoundItem) => ReactNode }) {
  const loaded = useWorksNamed(search)
  return (
    <Contents loaded={loaded}>
      {(works) =>
        works.length === 0 ? (
          <p role="status">No work is found.</p>
        ) : (
          <>
            <ul aria-label="Found works">
              {works.slice(0, SHOWN).map((work) => (
                <Row key={work.itemId} work={work}>
                  {children(work)}
                </Row>
              ))}
            </ul>
            {works.length > SHOWN && <p className="muted">The first {SHOWN}. A narrower search finds others.</p>}
          </>
        )
      }
    </Contents>
  )
}

const Row = ({ work, number, children }: { work: FoundItem; number?: number; children: ReactNode }) => (
  <li>
    <WorkPicture image={work.image} />
    <span className="work-picker__work">
      {number && `${number}. `}
      {work.name}
      <br />
      <span className="muted">
        {work.creatorUsername ?? 'a deleted account'}
        {work.hiddenBy && ', hidden'}
      </span>
    </span>
    <span className="work-picker__actions">{children}</span>
  </li>
)

type OrderProps = { label: string; work: FoundItem; disabled?: boolean; onClick: () => void }

const Order = ({ label, work, ...button }: OrderProps) => (
  <Button variant="secondary" aria-label={`${label} ${work.name}`} {...button}>
    {label}
  </Button>
)
