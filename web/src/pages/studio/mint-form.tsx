import './mint-form.css'
import { categories } from '@nifty/api/categories'
import type { Mint } from '@nifty/api/minting/public'
import { priceRange } from '@nifty/api/price'
import { type FormEvent, useRef, useState } from 'react'
import { fieldErrors } from '../../api/api.ts'
import { checkImage, imageTypes } from '../../minting/image-file.ts'
import { mintItem } from '../../minting/use-mints.ts'
import { Button } from '../../ui/button.tsx'
import { parseAmount } from '../../ui/forms/amount.ts'
import { AmountField } from '../../ui/forms/amount-field.tsx'
import { Field, Select, TextArea } from '../../ui/forms/field.tsx'
import { ImageDrop } from '../../ui/forms/image-drop.tsx'
import { Notice } from '../../ui/state.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { HolderChoice } from './holder-choice.tsx'

type Props = {
  /** The linked and proven wallet, which may hold the new token; else null. */
  wallet: string | null
  onMinted: (mint: Mint) => void
}

/** The form that mints an item: image, texts, price and holder. */
export function MintForm({ wallet, onMinted }: Props) {
  const [busy, run] = useBusy()
  const [file, setFile] = useState<File>()
  const [fields, setFields] = useState<Record<string, string | undefined>>({})
  const [price, setPrice] = useState('')
  const [problem, setProblem] = useState('')
  // One idempotency key per item: a retry after a lost response does not mint twice.
  const attempt = useRef('')

  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setFields((before) => ({ ...before, image: chosen && checkImage(chosen) }))
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const value = (name: string) => String(data.get(name) ?? '').trim()
    const fileError = file ? checkImage(file) : 'Please choose an image of your work.'
    if (!file || fileError) return setFields({ image: fileError })
    const holder = value('holder') === 'wallet' ? 'wallet' : 'custody'
    const texts = { name: value('name'), description: value('description'), category: value('category') }
    const amount = price.trim() ? parseAmount(price) : undefined
    if (amount && 'problem' in amount) return
    void run(async () => {
      setProblem('')
      attempt.current ||= newKey()
      const work = { image: file, ...texts, price: amount ? String(amount.euros) : '', holder } as const
      const outcome = await mintItem(work, attempt.current)
      if (outcome.ok || outcome.error.status > 0) attempt.current = ''
      if (!outcome.ok) {
        const errors = fieldErrors(outcome.error)
        setFields(outcome.error.code === 'not_an_image' ? { image: outcome.error.message } : errors)
        if (Object.keys(errors).length === 0) setProblem(outcome.error.message)
        return
      }
      form.reset()
      setPrice('')
      setFile(undefined)
      setFields({})
      onMinted(outcome.data)
    })
  }

  return (
    <form className="mint-form" onSubmit={submit}>
      <ImageDrop
        label="Drop your image here"
        hint="PNG, JPEG, GIF or WebP, up to 20 MB and 25 megapixels"
        accept={imageTypes.join(',')}
        error={fields.image}
        file={file}
        onFile={choose}
      />
      <div className="mint-form__fields">
        <Field label="Name" name="name" required maxLength={80} autoComplete="off" error={fields.name} />
        <TextArea
          label="Description"
          name="description"
          maxLength={2000}
          hint="What should collectors know about this work?"
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
          <AmountField
            label="Price in €"
            name="price"
            range={priceRange}
            text={price}
            onText={setPrice}
            hint="Leave empty to put it on sale later."
            error={fields.price}
          />
        </div>
        <HolderChoice wallet={wallet} error={fields.holder} />
        {problem && <Notice kind="error">{problem}</Notice>}
        <div>
          <Button type="submit" busy={busy} busyLabel="Submitting...">
            Mint this work
          </Button>
        </div>
      </div>
    </form>
  )
}

/** `crypto.randomUUID` needs a secure context; this works on plain HTTP too. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')
