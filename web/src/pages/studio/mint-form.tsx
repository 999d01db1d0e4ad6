import './mint-form.css'
import { categories } from '@nifty/api/categories'
import type { Mint } from '@nifty/api/minting/public'
import { type FormEvent, useRef, useState } from 'react'
import { fieldErrors } from '../../api.ts'
import { accepted, problemOf } from '../../minting/image-file.ts'
import { mintWork } from '../../minting/use-mints.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select, TextArea } from '../../ui/forms/field.tsx'
import { ImageDrop } from '../../ui/forms/image-drop.tsx'
import { Notice } from '../../ui/state.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { HolderChoice } from './holder-choice.tsx'

type Props = {
  /** The linked and proven wallet, where a work may start as well. */
  wallet: string | null
  onMinted: (mint: Mint) => void
}

/** A picture, a few words, a price: what it takes to put a work into the store. */
export function MintForm({ wallet, onMinted }: Props) {
  const [busy, run] = useBusy()
  const [file, setFile] = useState<File>()
  const [fields, setFields] = useState<Record<string, string | undefined>>({})
  const [problem, setProblem] = useState('')
  // One key for one work: a second try after a lost answer mints nothing twice.
  const attempt = useRef('')

  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setFields((before) => ({ ...before, image: chosen && problemOf(chosen) }))
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const value = (name: string) => String(data.get(name) ?? '').trim()
    const wrong = file ? problemOf(file) : 'Please choose the picture of your work.'
    if (!file || wrong) return setFields({ image: wrong })
    const holder = value('holder') === 'wallet' ? 'wallet' : 'custody'
    const words = { name: value('name'), description: value('description'), category: value('category') }
    void run(async () => {
      setProblem('')
      attempt.current ||= newKey()
      const outcome = await mintWork({ image: file, ...words, price: value('price'), holder }, attempt.current)
      if (outcome.ok || outcome.error.status > 0) attempt.current = ''
      if (!outcome.ok) {
        const wrongFields = fieldErrors(outcome.error)
        setFields(outcome.error.code === 'not_an_image' ? { image: outcome.error.message } : wrongFields)
        if (Object.keys(wrongFields).length === 0) setProblem(outcome.error.message)
        return
      }
      form.reset()
      setFile(undefined)
      setFields({})
      onMinted(outcome.data)
    })
  }

  return (
    <form className="mint-form" onSubmit={submit}>
      <ImageDrop
        label="Drop your picture here"
        hint="PNG, JPEG, GIF or WebP, up to 20 MB and 25 megapixels"
        accept={accepted.join(',')}
        error={fields.image}
        file={file}
        onFile={choose}
      />
      <div className="mint-form__words">
        <Field label="Name" name="name" required maxLength={80} autoComplete="off" error={fields.name} />
        <TextArea
          label="Description"
          name="description"
          maxLength={2000}
          hint="What should somebody know who looks at it?"
          error={fields.description}
        />
        <div className="mint-form__row">
          <Select label="Category" name="category" required defaultValue="" error={fields.category}>
            <option value="" disabled>
              Choose one
            </option>
            {categories.map((category) => (
              <option key={category}>{category}</option>
            ))}
          </Select>
          <Field
            label="Price in €"
            name="price"
            type="number"
            inputMode="decimal"
            min="0.5"
            max="999999.99"
            step="0.01"
            hint="Empty: it is not put on sale yet."
            error={fields.price}
          />
        </div>
        <HolderChoice wallet={wallet} error={fields.holder} />
        {problem && <Notice kind="alarm">{problem}</Notice>}
        <div>
          <Button type="submit" busy={busy} busyLabel="Handing it in...">
            Mint this work
          </Button>
        </div>
      </div>
    </form>
  )
}

/** Random, also on pages without a secure context. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')
