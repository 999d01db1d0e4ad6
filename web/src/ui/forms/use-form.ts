import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useBusy } from '../use-busy.ts'

/** Errors of the last submission: one for the whole form, and one beside each field. */
export type FormErrors = { message?: string; fields?: Record<string, string | undefined> }

export type FormValues = {
  /** The text of a field; empty when there is no such field. */
  text: (name: string) => string
  /** Whether a checkbox is ticked. */
  checked: (name: string) => boolean
  form: HTMLFormElement
}

type Submit = (values: FormValues) => Promise<FormErrors | undefined>

/**
 * A form that is submitted once at a time. `submit` returns the errors to show; undefined means success. The focus goes
 * to the first field with an error. The error of a field goes when the control of its name is changed.
 */
export function useForm(submit: Submit) {
  const [busy, run] = useBusy()
  const [errors, setErrors] = useState<FormErrors>({})
  /** Names of the fields that were changed since. */
  const [changed, setChanged] = useState<readonly string[]>([])
  const { message } = errors
  const fields = Object.fromEntries(Object.entries(errors.fields ?? {}).filter(([name]) => !changed.includes(name)))
  const submitted = useRef<HTMLFormElement>(null)

  useEffect(() => {
    const form = submitted.current
    if (!errors.fields || !form) return
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    const onInput = ({ target }: Event) => {
      if (form.contains(target as Node)) setChanged((before) => [...before, (target as HTMLInputElement).name])
    }
    // Of the document, after React's own listeners: rendered before them, a controlled field has its former value.
    document.addEventListener('input', onInput)
    return () => document.removeEventListener('input', onInput)
  }, [errors])

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    submitted.current = form
    const data = new FormData(form)
    const text = (name: string) => String(data.get(name) ?? '')
    void run(async () => {
      setErrors({})
      const found = (await submit({ text, checked: (name) => data.has(name), form })) ?? {}
      setChanged([])
      setErrors(found)
    })
  }

  return { busy, onSubmit, message, fields }
}
