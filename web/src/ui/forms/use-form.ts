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
 * to the first field with an error.
 */
export function useForm(submit: Submit) {
  const [busy, run] = useBusy()
  const [errors, setErrors] = useState<FormErrors>({})
  const { message, fields = {} } = errors
  const submitted = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (errors.fields) submitted.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors])

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    submitted.current = form
    const data = new FormData(form)
    const text = (name: string) => String(data.get(name) ?? '')
    void run(async () => {
      setErrors({})
      setErrors((await submit({ text, checked: (name) => data.has(name), form })) ?? {})
    })
  }

  return { busy, onSubmit, message, fields }
}
