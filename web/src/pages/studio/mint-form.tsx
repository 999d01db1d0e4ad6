import './mint-form.css'
import { categories } from '@nifty/api/categories'
import type { Mint } from '@nifty/api/minting/public'
import { priceRange } from '@nifty/api/price'
import { isSmallWork } from '@nifty/api/work-image'
import { type FormEvent, useRef, useState } from 'react'
import { fieldErrors } from '../../api/api.ts'
import { checkImage, imageTypes } from '../../minting/image-file.ts'
import { pictureNotes, sizeProblem, usePictureFacts } from '../../minting/picture-facts.ts'
import { mintItem, type NewItem } from '../../minting/use-mints.ts'
import { YouGet } from '../../selling/you-get.tsx'
import { Button } from '../../ui/button.tsx'
import { amountWithin } from '../../ui/forms/amount.ts'
import { AmountField } from '../../ui/forms/amount-field.tsx'
import { Field, Select, TextArea } from '../../ui/forms/field.tsx'
import { ImageDrop } from '../../ui/forms/image-drop.tsx'
import { Notice } from '../../ui/state.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { HolderChoice } from './holder-choice.tsx'
import { finality, LastLook } from './last-look.tsx'

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
  /** The work that is shown once more before it is minted. */
  const [work, setWork] = useState<NewItem>()
  const form = useRef<HTMLFormElement>(null)
  const facts = usePictureFacts(file)
  const notes = facts ? pictureNotes(facts) : []
  const amount = price.trim() ? amountWithin(price, priceRange) : undefined
  const euros = amount && 'euros' in amount ? amount.euros : undefined
  // One idempotency key per item: a retry after a lost response does not mint twice.
  const attempt = useRef('')

  const problemOf = (chosen: File) => checkImage(chosen) ?? (facts && chosen === file ? sizeProblem(facts) : undefined)

  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setFields((before) => ({ ...before, image: chosen && checkImage(chosen) }))
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const value = (name: string) => String(data.get(name) ?? '').trim()
    const fileError = file ? problemOf(file) : 'Please choose an image of your work.'
    if (!file || fileError) return setFields({ image: fileError })
    if (amount && 'problem' in amount) return
    setProblem('')
    const holder = value('holder') === 'wallet' ? 'wallet' : 'custody'
    const texts = { name: value('name'), description: value('description'), category: value('category') }
    setWork({ image: file, ...texts, price: euros === undefined ? '' : String(euros), holder })
  }

  const mint = (chosen: NewItem) =>
    run(async () => {
      attempt.current ||= newKey()
      const outcome = await mintItem(chosen, attempt.current)
      if (outcome.ok || outcome.error.status > 0) attempt.current = ''
      setWork(undefined)
      if (!outcome.ok) {
        const errors = fieldErrors(outcome.error)
        setFields(imageErrors.includes(outcome.error.code) ? { image: outcome.error.message } : errors)
        if (Object.keys(errors).length === 0) setProblem(outcome.error.message)
        return
      }
      form.current?.reset()
      setPrice('')
      setFile(undefined)
      setFields({})
      onMinted(outcome.data)
    })

  return (
    <>
      <form ref={form} className="mint-form" onSubmit={submit}>
        <div className="mint-form__picture">
          <ImageDrop
            label="Drop your image here"
            hint="PNG, JPEG, GIF or WebP, up to 20 MB and 25 megapixels"
            accept={imageTypes.join(',')}
            error={fields.image ?? (file && problemOf(file))}
            file={file}
            pixelated={facts && isSmallWork(facts)}
            onFile={choose}
          />
          {notes.map((note) => (
            <Notice key={note}>{note}</Notice>
          ))}
        </div>
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
            <div className="mint-form__price">
              <AmountField
                label="Price in €"
                name="price"
                range={priceRange}
                text={price}
                onText={setPrice}
                hint="Leave empty to put it on sale later."
                error={fields.price}
              />
              <YouGet euros={euros} royaltyPercent={0} />
            </div>
          </div>
          <HolderChoice wallet={wallet} error={fields.holder} />
          {problem && <Notice kind="error">{problem}</Notice>}
          <p className="mint-form__final">{finality}</p>
          <div>
            <Button type="submit">Mint this work</Button>
          </div>
        </div>
      </form>
      <LastLook
        work={work}
        notes={notes}
        pixelated={facts && isSmallWork(facts)}
        euros={euros}
        busy={busy}
        onMint={mint}
        onClose={() => !busy && setWork(undefined)}
      />
    </>
  )
}

/** Refusals of the picture itself. */
const imageErrors = ['not_an_image', 'image_too_big', 'too_large']

/** `crypto.randomUUID` needs a secure context; this works on plain HTTP too. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')
